import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { calibrateScale } from '../../src/core/search/semantic/vector-scale.ts';
import { writeTinyEmbedder } from '../support/tiny-models.ts';
import { installRuntime, installTimeoutMs } from './installed.ts';
import { embedderOf, temporaryFolder } from './support.ts';

let local_models_dir: string;

beforeAll(async () => {
  local_models_dir = await installRuntime();
}, installTimeoutMs);

type Wishes = Parameters<typeof writeTinyEmbedder>[1] & { named?: string };

function prepare(given: Record<string, unknown> = {}, { named, ...wishes }: Wishes = {}) {
  const local_embedder = join(temporaryFolder(), named ?? 'tiny');
  writeTinyEmbedder(local_embedder, wishes);
  return embedderOf({ local_embedder, local_models_dir, ...given });
}

const memory = { purpose: 'memory' } as const;
const question = { purpose: 'question' } as const;

function cosine(one?: Float32Array | null, other?: Float32Array | null): number {
  return Array.from(one ?? []).reduce(
    (sum, value, index) => sum + value * (other?.[index] ?? 0),
    0,
  );
}

describe('an embedding model on this machine', () => {
  it('answers vectors of length 1, near each other where texts mean the same', async () => {
    const { embedder } = prepare();

    const [car, vehicle, jazz] = await embedder.embed(['car', 'a vehicle', 'jazz'], memory);

    expect(car).toBeInstanceOf(Float32Array);
    expect(Math.hypot(...(car ?? []))).toBeCloseTo(1, 5);
    expect(cosine(car, vehicle)).toBeGreaterThan(0.9);
    expect(cosine(car, jazz)).toBeLessThan(0.5);
  });

  it('makes the same vector of a text, whatever stands beside it', async () => {
    const { embedder } = prepare();
    const long = 'the dog and the cats sleep at the sea '.repeat(20);

    const [alone] = await embedder.embed(['The car'], memory);
    const many = await embedder.embed([long, 'The car', '', long, 'jazz'], memory);

    expect(many).toHaveLength(5);
    expect(cosine(alone, many[1])).toBeCloseTo(1, 5);
  });

  it('answers many texts in their order', async () => {
    const { embedder } = prepare();
    const texts = Array.from({ length: 300 }, (_, at) => (at % 2 ? 'car '.repeat(at) : 'jazz'));
    const [car, jazz] = await embedder.embed(['car', 'jazz'], memory);

    const vectors = await embedder.embed(texts, memory);

    expect(vectors.every((one, at) => cosine(one, at % 2 ? car : jazz) > 0.9)).toBe(true);
  });

  it('cuts a text that is longer than the model takes', async () => {
    const { embedder } = prepare({}, { tokensMax: 16 });

    const [long] = await embedder.embed([`${'car '.repeat(30_000)} jazz`], memory);
    const [car] = await embedder.embed(['car'], memory);

    expect(cosine(long, car)).toBeGreaterThan(0.95);
  });

  it('puts before questions and memories what the model wants, by its name', async () => {
    const { embedder } = prepare({}, { named: 'multilingual-e5-tiny' });
    const plain = prepare().embedder;

    const [asked] = await embedder.embed(['car'], question);
    const [told] = await embedder.embed(['car'], memory);

    const [query, passage] = await plain.embed(['query: car', 'passage: car'], memory);
    expect(cosine(asked, query)).toBeCloseTo(1, 5);
    expect(cosine(told, passage)).toBeCloseTo(1, 5);
    expect(cosine(asked, told)).toBeLessThan(0.95);
  });

  it('goes by its own files before its name, and by the configuration before both', async () => {
    const files = {
      'config_sentence_transformers.json': { prompts: { query: 'jazz ' } },
      '1_Pooling/config.json': { pooling_mode_cls_token: true },
    };
    const named = 'multilingual-e5-tiny';
    const plain = prepare().embedder;
    const [jazz, dog] = await plain.embed(['jazz car', 'dog car'], memory);

    const mean = { local_pooling: 'mean' };
    const own = prepare(mean, { named, files }).embedder;
    const configured = prepare({ ...mean, embedder_query_prefix: 'dog ' }, { named, files });
    const cls = prepare({}, { named, files }).embedder;

    expect(cosine((await own.embed(['car'], question))[0], jazz)).toBeCloseTo(1, 5);
    expect(cosine((await configured.embedder.embed(['car'], question))[0], dog)).toBeCloseTo(1, 5);
    const [first, second] = await cls.embed(['car', 'jazz'], memory);
    expect(cosine(first, second)).toBeCloseTo(1, 5);
  });

  it('takes the first token, the last or the mean of all, as it is told', async () => {
    const vectorsOf = (local_pooling: string) =>
      prepare({ local_pooling }).embedder.embed(['car', 'jazz music'], memory);

    const [[cls, otherCls], [last, otherLast], [mean, otherMean]] = (await Promise.all(
      ['cls', 'last', 'mean'].map(vectorsOf),
    )) as [Vectors, Vectors, Vectors];

    expect(cosine(cls, otherCls)).toBeCloseTo(1, 5);
    expect(cosine(last, otherLast)).toBeCloseTo(1, 5);
    expect(cosine(mean, otherMean)).toBeLessThan(0.7);
    expect(cosine(cls, last)).toBeLessThan(0.5);
  });

  it('shortens vectors to the dimensions that are asked for, and to no more than there are', async () => {
    const { embedder } = prepare({ embedder_dimensions: 32 });
    const [short] = await embedder.embed(['car'], memory);
    expect(short?.length).toBe(32);
    expect(Math.hypot(...(short ?? []))).toBeCloseTo(1, 5);

    const asked = prepare({ embedder_dimensions: 65 }).embedder.embed(['car'], memory);

    await expect(asked).rejects.toThrow('64');
  });

  it('is named after all that changes its vectors', () => {
    const nameOf = (given = {}, wishes: Wishes = {}) => prepare(given, wishes).embedder.name;

    const names = [
      nameOf(),
      nameOf({ embedder_dimensions: 32 }),
      nameOf({ local_pooling: 'cls' }),
      nameOf({ embedder_memory_prefix: 'passage: ' }),
      nameOf({ local_dtype: 'q8' }),
      nameOf({}, { dimension: 32 }),
      nameOf({ local_embedder: 'Some/tiny' }),
      nameOf({ local_embedder: 'Some/tiny@v2' }),
    ];

    expect(new Set(names).size).toBe(names.length);
    expect(nameOf()).toBe(names[0]);
    expect(nameOf()).toMatch(/^local:tiny#[0-9a-f]{8}$/);
    expect(nameOf({ local_embedder: 'Some/tiny@v2' })).toMatch(/^local:Some\/tiny#/);
  });

  it('tells how its cosines are to be read, each model for itself', async () => {
    const { embedder } = prepare();

    const { dimension, scale } = await calibrateScale(embedder);

    expect(dimension).toBe(64);
    expect(scale.related).toBeGreaterThan(scale.unrelated);
    expect(scale.trust).toBeGreaterThan(0.8);
  });

  it('ends for whoever waits no more, and goes on for others', async () => {
    const { embedder } = prepare({}, { slow: 2000 });
    const texts = Array.from({ length: 64 }, () => 'car '.repeat(400));
    await embedder.embed(['car'], question);
    const leaving = new AbortController();

    const left = embedder.embed(texts, { ...memory, signal: leaving.signal });
    const ended = expect(left).rejects.toThrow('gone');
    leaving.abort(new Error('gone'));
    const [vector] = await embedder.embed(['car'], question);

    await ended;
    expect(vector?.length).toBe(64);
  });

  it('answers a question before the memories that wait', async () => {
    const { embedder } = prepare({}, { slow: 500 });
    const texts = Array.from({ length: 32 }, () => 'car '.repeat(400));
    await embedder.embed(['car'], question);
    const order: string[] = [];

    const memories = embedder.embed(texts, memory).then(() => order.push('memories'));
    const asked = embedder.embed(['jazz'], question).then(() => order.push('question'));
    await Promise.all([memories, asked]);

    expect(order).toEqual(['question', 'memories']);
  });
});

type Vectors = (Float32Array | null)[];
