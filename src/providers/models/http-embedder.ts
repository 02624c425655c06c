import { ApiError } from '../../contract/errors.ts';
import type { Embedder } from '../../core/ports/index.ts';
import type { PostToModel } from './post.ts';
import { refusal } from './refusal.ts';
import { toUnit } from './unit-vector.ts';

export type HttpEmbedderOptions = {
  post: PostToModel;
  close(): Promise<void>;
  /** Sent as it is; null where the server has one model only. */
  model: string | null;
  /** Asks for vectors of this length, where the model can shorten them. */
  dimensions: number | null;
  /** What the model wants before a text; null where it wants nothing. */
  prefixes: Record<'question' | 'memory', string | null>;
};

type Given = { signal?: AbortSignal; patient: boolean };

/** Any server with the `POST /embeddings` of OpenAI: Ollama, LM Studio, vLLM and others. */
export function createHttpEmbedder(given: HttpEmbedderOptions): Embedder {
  const { close, prefixes, ...options } = given;
  return {
    name: nameOf(given),
    close,
    embed: async (texts, { purpose, ...signal }) => {
      const given = { ...signal, patient: purpose === 'memory' };
      const prefix = prefixes[purpose] ?? '';
      const batches = inBatches(texts.map((text) => prefix + text));
      const vectors: (Float32Array | null)[] = [];
      for (let first = 0; first < batches.length; first += requestsMax) {
        const some = batches.slice(first, first + requestsMax);
        const answered = await Promise.all(some.map((batch) => embed(options, batch, given)));
        vectors.push(...answered.flat());
      }
      return vectors;
    },
  };
}

/** Other dimensions and other prefixes make other vectors. */
function nameOf({ model, dimensions, prefixes }: HttpEmbedderOptions): string {
  const { question, memory } = prefixes;
  const prefixed = question || memory ? [JSON.stringify([question, memory])] : [];
  const sized = dimensions === null ? [] : [dimensions];
  return [model ?? 'default', ...sized, ...prefixed].join('@');
}

/** Requests at once: enough to keep a remote model busy, few enough for one on this machine. */
const requestsMax = 4;
const textsMax = 32;
/** About 16,000 tokens in one request. */
const charactersMax = 64_000;

function inBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let batch: string[] = [];
  let size = 0;
  for (const text of texts) {
    if (batch.length >= textsMax || (batch.length > 0 && size + text.length > charactersMax)) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(text);
    size += text.length;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

type Options = Pick<HttpEmbedderOptions, 'post' | 'model' | 'dimensions'>;
type Vectors = (Float32Array | null)[];

/** A batch that is refused is halved, until it is clear which text it is about. */
async function embed(options: Options, texts: readonly string[], given: Given): Promise<Vectors> {
  const [text] = texts;
  if (text === undefined) return [];
  const vectors = await ask(options, texts, given);
  if (vectors !== null) return vectors;
  if (texts.length === 1) return [await embedShorter(options, text, given)];
  const half = Math.ceil(texts.length / 2);
  const first = await embed(options, texts.slice(0, half), given);
  return [...first, ...(await embed(options, texts.slice(half), given))];
}

/** What a model refuses is mostly too long for it: the beginning has to do. */
async function embedShorter(
  options: Options,
  text: string,
  given: Given,
): Promise<Float32Array | null> {
  for (let length = Math.floor(text.length / 2); length >= shortestCut; length /= 2) {
    const vectors = await ask(options, [text.slice(0, length)], given);
    if (vectors !== null) return vectors[0] ?? null;
  }
  // A server that refuses everything is not told what it is meant to be told.
  if ((await ask(options, [plainText], given)) !== null) return null;
  throw new ApiError('unavailable', 'the embedder refuses every text; is embedder_model right?');
}

const shortestCut = 200;
const plainText = 'a plain sentence';

/** Null when the server says that the texts can't be embedded. */
async function ask(
  { post, model, dimensions }: Options,
  texts: readonly string[],
  given: Given,
): Promise<Vectors | null> {
  const body = {
    // Some models refuse a text without any character to be seen.
    input: texts.map((text) => (text.trim() === '' ? '.' : text)),
    ...(model !== null && { model }),
    ...(dimensions !== null && { dimensions }),
    encoding_format: 'float',
  };
  const answer = await post('/embeddings', body, given);
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return null;
  if (answer.status !== 200) throw refusal('embedder', answer);
  return readVectors(answer.body, texts.length);
}

/** The kernel that compares vectors takes no longer ones. */
const dimensionMax = 16_384;

function readVectors(body: unknown, count: number): Float32Array[] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  if (!Array.isArray(data) || data.length !== count) throw unreadable();
  const vectors = new Array<Float32Array>(count);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, at) => {
    const index = typeof item?.index === 'number' ? item.index : at;
    vectors[index] = unitVector(item?.embedding);
  });
  const dimension = vectors[0]?.length;
  const isWhole = vectors.every((vector) => vector.length === dimension);
  if (!isWhole || Object.keys(vectors).length !== count) throw unreadable();
  return vectors;
}

function unitVector(values: unknown): Float32Array {
  const isVector = Array.isArray(values) && values.length > 0 && values.length <= dimensionMax;
  if (!isVector || !values.every(Number.isFinite)) throw unreadable();
  return toUnit(Float32Array.from(values as number[])); // all of them are, as was just seen
}

function unreadable(): ApiError {
  return new ApiError('unavailable', 'the embedder answered something that is no list of vectors');
}
