import { describe, expect, it, onTestFinished } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { EmbeddingModel, Store } from '../../src/core/ports/index.ts';
import { decodeVector, encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { hasVectors, isPostgres } from '../support/database.ts';
import type { Place } from '../support/place.ts';
import { clustered, isotropic, normalOf, type Random } from '../support/vectors.ts';
import { makeMemory, now } from './memory.ts';
import { nearestMemories } from './nearest.ts';
import { everything, insert, makeFolder, makeStore, open, select } from './support.ts';

/** As small models have them. */
const dimension = 384;
const scale = { unrelated: 0, related: 0.5, trust: 1 };

const shapes = {
  isotropic: (count: number, random: Random) => isotropic(count, { dimension, random }),
  clustered: (count: number, random: Random) =>
    clustered(count, { dimension, random, topics: 40, spread: 0.03 }),
};

async function makeModel(store: Store): Promise<EmbeddingModel> {
  return store.vectors.openModel({ name: 'model-1', dimension, scale }, now);
}

/** Stores memories `m0`, `m1`, ... with these vectors, numbered from `from`. */
async function fill(place: Place, vectors: readonly Float32Array[], from = 0): Promise<void> {
  const { store, project, model } = place;
  const memories = vectors.map((_, index) =>
    makeMemory({
      id: `m${from + index}`,
      memory: `Fact ${from + index}`,
      metadata: { number: from + index, tenth: index % 10, rare: index % 400 },
    }),
  );
  await insert(store, project, ...memories);
  for (;;) {
    const wanted = (await store.vectors.listUnembedded(model, 1000)) ?? [];
    if (wanted.length === 0) return;
    const embedded = wanted.map(({ memory, ...rest }) => {
      const vector = vectors[Number(/\d+/.exec(memory)) - from] ?? new Float32Array(dimension);
      return { ...rest, vector };
    });
    await store.transaction((tables) => tables.vectors.put(model, embedded));
  }
}

/** The matches if the scope is too large to compare its vectors one by one. */
async function find(
  { store, project, model }: Place,
  vector: Float32Array,
  { limit = 10, filter = everything }: { limit?: number; filter?: Filter } = {},
) {
  const query = { model, vector, size: 1_000_000, limit };
  return nearestMemories({ store, project }, select(filter), query);
}

/** As a store keeps it. */
function toStored(vector: Float32Array): Float32Array {
  return isPostgres ? vector : decodeVector(encodeVector(vector));
}

function exact(vectors: readonly Float32Array[], asked: Float32Array, limit = 10): string[] {
  return vectors
    .map((vector, index) => ({
      id: `m${index}`,
      value: vector.reduce((sum, one, at) => sum + one * (asked[at] ?? 0), 0),
    }))
    .sort((one, other) => other.value - one.value)
    .slice(0, limit)
    .map(({ id }) => id);
}

function number(name: string, operator: 'eq' | 'lt' | 'gte', value: number): Filter {
  return { field: 'metadata', path: [name], operator, value };
}

describe.skipIf(!hasVectors)('blocks of vectors', () => {
  it.each([
    ['clustered', shapes.clustered],
    ['isotropic', shapes.isotropic],
  ])('find at least 95%% of the ten that are nearest as floats among %s ones', async (_, make) => {
    const { store, project } = await makeStore();
    const place = { store, project, model: await makeModel(store) };
    const random = normalOf(7);
    const vectors = make(4_000, random);
    await fill(place, vectors);

    let found = 0;
    const questions = make(60, random);
    for (const question of questions) {
      const ids = new Set((await find(place, question)).map(({ id }) => id));
      found += exact(vectors, question).filter((id) => ids.has(id)).length;
    }

    expect(found / (10 * questions.length)).toBeGreaterThanOrEqual(0.95);
  });

  it('are filtered before they are ranked, whatever share of them a filter passes', async () => {
    const { store, project } = await makeStore();
    const place = { store, project, model: await makeModel(store) };
    const random = normalOf(19);
    const vectors = shapes.isotropic(4_000, random);
    await fill(place, vectors);
    const [asked = new Float32Array(dimension)] = shapes.isotropic(1, random);
    const stored = vectors.map(toStored);
    const parts: [Filter, (number: number) => boolean][] = [
      [number('tenth', 'eq', 3), (one) => one % 10 === 3],
      [number('rare', 'eq', 7), (one) => one % 400 === 7],
      // The newest ones suggest the opposite.
      [number('number', 'lt', 3_800), (one) => one < 3_800],
      [number('number', 'gte', 3_900), (one) => one >= 3_900],
      [number('number', 'eq', 5_000), () => false],
    ];

    for (const [filter, passes] of parts) {
      const found = await find(place, asked, { filter });

      const all = exact(stored, asked, vectors.length);
      const expected = all.filter((id) => passes(Number(id.slice(1)))).slice(0, 10);
      expect(found.map(({ id }) => id)).toEqual(expected);
    }
  });

  it('put equal ones in the same order every time', async () => {
    const { store, project } = await makeStore();
    const place = { store, project, model: await makeModel(store) };
    const [one = new Float32Array(dimension)] = shapes.isotropic(1, normalOf(3));
    await fill(
      place,
      Array.from({ length: 1_500 }, () => one),
    );

    const first = await find(place, one, { limit: 20 });
    for (let again = 0; again < 5; again += 1) {
      expect(await find(place, one, { limit: 20 })).toEqual(first);
    }
    expect(first).toHaveLength(20);
  });

  it('are current when another process has written since they were read', async () => {
    const data_dir = await makeFolder();
    const store = await open(data_dir);
    onTestFinished(() => store.close());
    const second = await open(data_dir);
    onTestFinished(() => second.close());
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const model = await makeModel(store);
    const random = normalOf(11);
    const vectors = shapes.isotropic(1_600, random);
    await fill({ store, project, model }, vectors);
    const [asked = new Float32Array(dimension)] = shapes.isotropic(1, random);
    expect((await find({ store, project, model }, asked))[0]?.id).toBe(exact(vectors, asked)[0]);

    await fill({ store: second, project, model }, [asked], 5_000);
    expect((await find({ store, project, model }, asked))[0]?.id).toBe('m5000');

    await second.transaction(({ memories }) => memories.delete(project, ['m5000']));
    expect((await find({ store, project, model }, asked))[0]?.id).toBe(exact(vectors, asked)[0]);
  });
});
