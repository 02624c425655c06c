import { ApiError } from '../../contract/errors.ts';
import type { Embedder } from '../../core/ports/index.ts';
import { modelServerError } from './model-server.ts';
import { normalizeVector } from './normalize-vector.ts';
import type { PostToModel } from './post.ts';

export type HttpEmbedderOptions = {
  post: PostToModel;
  close(): Promise<void>;
  /** Sent unchanged; null if the server has only one model. */
  model: string | null;
  /** The length of vectors to request, if the model can shorten them. */
  dimensions: number | null;
  /** The text that the model expects before a query or a memory, if any. */
  prefixes: Record<'question' | 'memory', string | null>;
};

type EmbedOptions = { signal?: AbortSignal; retry: boolean };

/** Any server with the `POST /embeddings` of OpenAI: Ollama, LM Studio, vLLM and others. */
export function createHttpEmbedder(settings: HttpEmbedderOptions): Embedder {
  const { close, prefixes, ...options } = settings;
  return {
    name: embedderName(settings),
    close,
    embed: async (texts, { purpose, ...signal }) => {
      const embedOptions = { ...signal, retry: purpose === 'memory' };
      const prefix = prefixes[purpose] ?? '';
      const batches = batchTexts(texts.map((text) => prefix + text));
      const vectors: (Float32Array | null)[] = [];
      for (let first = 0; first < batches.length; first += concurrentRequestsMax) {
        const some = batches.slice(first, first + concurrentRequestsMax);
        const answered = await Promise.all(
          some.map((batch) => embedBatch(options, batch, embedOptions)),
        );
        vectors.push(...answered.flat());
      }
      return vectors;
    },
  };
}

/** Other dimensions and other prefixes make other vectors. */
function embedderName({ model, dimensions, prefixes }: HttpEmbedderOptions): string {
  const { question, memory } = prefixes;
  const prefixed = question || memory ? [JSON.stringify([question, memory])] : [];
  const sized = dimensions === null ? [] : [dimensions];
  return [model ?? 'default', ...sized, ...prefixed].join('@');
}

/** Requests at once: enough to keep a remote model busy, few enough for one on this machine. */
const concurrentRequestsMax = 4;
const textsMax = 32;
/** About 16,000 tokens in one request. */
const charactersMax = 64_000;

function batchTexts(texts: readonly string[]): string[][] {
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

type EmbedderRequestOptions = Pick<HttpEmbedderOptions, 'post' | 'model' | 'dimensions'>;
type EmbeddedTexts = (Float32Array | null)[];

/** A refused batch is halved until the refused text is found. */
async function embedBatch(
  options: EmbedderRequestOptions,
  texts: readonly string[],
  embedOptions: EmbedOptions,
): Promise<EmbeddedTexts> {
  const [text] = texts;
  if (text === undefined) return [];
  const vectors = await requestEmbeddings(options, texts, embedOptions);
  if (vectors !== null) return vectors;
  if (texts.length === 1) return [await embedTruncated(options, text, embedOptions)];
  const half = Math.ceil(texts.length / 2);
  const first = await embedBatch(options, texts.slice(0, half), embedOptions);
  return [...first, ...(await embedBatch(options, texts.slice(half), embedOptions))];
}

/** A refused text is mostly too long, so its beginning is embedded instead. */
async function embedTruncated(
  options: EmbedderRequestOptions,
  text: string,
  embedOptions: EmbedOptions,
): Promise<Float32Array | null> {
  for (let length = Math.floor(text.length / 2); length >= truncatedMinChars; length /= 2) {
    const vectors = await requestEmbeddings(options, [text.slice(0, length)], embedOptions);
    if (vectors !== null) return vectors[0] ?? null;
  }
  // A server that refuses even a plain text is misconfigured.
  if ((await requestEmbeddings(options, [probeText], embedOptions)) !== null) return null;
  throw new ApiError('unavailable', 'the embedder refuses every text; is embedder_model right?');
}

const truncatedMinChars = 200;
const probeText = 'a plain sentence';

/** Null if the server refuses the texts. */
async function requestEmbeddings(
  { post, model, dimensions }: EmbedderRequestOptions,
  texts: readonly string[],
  embedOptions: EmbedOptions,
): Promise<EmbeddedTexts | null> {
  const body = {
    // Some models refuse a text without visible characters.
    input: texts.map((text) => (text.trim() === '' ? '.' : text)),
    ...(model !== null && { model }),
    ...(dimensions !== null && { dimensions }),
    encoding_format: 'float',
  };
  const answer = await post('/embeddings', body, embedOptions);
  if (answer.status === 400 || answer.status === 413 || answer.status === 422) return null;
  if (answer.status !== 200) throw modelServerError('embedder', answer);
  return parseVectors(answer.body, texts.length);
}

/** The kernel that compares vectors accepts no longer ones. */
const dimensionsMax = 16_384;

function parseVectors(body: unknown, count: number): Float32Array[] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : null;
  if (!Array.isArray(data) || data.length !== count) throw unreadableResponse();
  const vectors = new Array<Float32Array>(count);
  data.forEach((item: { index?: unknown; embedding?: unknown } | null, at) => {
    const index = typeof item?.index === 'number' ? item.index : at;
    vectors[index] = parseUnitVector(item?.embedding);
  });
  const dimension = vectors[0]?.length;
  const isWhole = vectors.every((vector) => vector.length === dimension);
  if (!isWhole || Object.keys(vectors).length !== count) throw unreadableResponse();
  return vectors;
}

function parseUnitVector(values: unknown): Float32Array {
  const isVector = Array.isArray(values) && values.length > 0 && values.length <= dimensionsMax;
  if (!isVector || !values.every(Number.isFinite)) throw unreadableResponse();
  return normalizeVector(Float32Array.from(values as number[])); // just checked
}

function unreadableResponse(): ApiError {
  return new ApiError('unavailable', 'the embedder did not return a list of vectors');
}
