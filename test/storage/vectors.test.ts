import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { addDenseCandidates } from '../../src/core/search/semantic/dense-candidates.ts';
import { decodeVector, encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { hasVectors, isPostgres } from '../support/database.ts';
import type { Place } from '../support/place.ts';
import { tries } from '../support/rounds.ts';
import { randomOf, unit } from '../support/vectors.ts';
import { later, makeMemory, now } from './memory.ts';
import { nearestMemories } from './nearest.ts';
import { everything, insert, makeFolder, makeStore, ofUser, open, select } from './support.ts';

const dimension = 24;
const scale = { unrelated: 0, related: 0.5, trust: 1 };

function vectorOf(seed: number): Float32Array {
  const random = randomOf(seed + 1);
  return unit(Array.from({ length: dimension }, random));
}

async function embedAll(store: Store, model: EmbeddingModel): Promise<number> {
  for (let count = 0; ; ) {
    const wanted = (await store.vectors.listUnembedded(model, 500)) ?? [];
    if (wanted.length === 0) return count;
    count += wanted.length;
    const embedded = wanted.map(({ memory, ...rest }) => ({
      ...rest,
      vector: vectorOf(Number(/\d+/.exec(memory))),
    }));
    await store.transaction(({ vectors }) => vectors.put(model, embedded));
  }
}

async function makeModel(store: Store, name = 'model-1'): Promise<EmbeddingModel> {
  return store.vectors.openModel({ name, dimension, scale }, now);
}

async function fill(store: Store, project: ProjectRef, count: number): Promise<void> {
  const memories = Array.from({ length: count }, (_, index) =>
    makeMemory({ id: `m${index}`, memory: `Fact ${index}`, user_id: `user-${index % 7}` }),
  );
  await insert(store, project, ...memories);
}

function nearest(
  { store, project, model }: Place,
  query: { vector: Float32Array; size: number; limit: number; filter?: Filter },
) {
  const { filter = everything, ...rest } = query;
  return nearestMemories({ store, project }, select(filter), { ...rest, model });
}

function storedVector(seed: number): Float32Array {
  const vector = vectorOf(seed);
  return isPostgres ? vector : decodeVector(encodeVector(vector));
}

/** What a comparison with every one of them finds. */
function bruteForce(
  indexes: readonly number[],
  { vector, limit }: { vector: Float32Array; limit: number },
): string[] {
  return indexes
    .map((index) => {
      const other = storedVector(index);
      return { index, value: vector.reduce((sum, one, at) => sum + one * (other[at] ?? 0), 0) };
    })
    .sort((a, b) => b.value - a.value)
    .slice(0, limit)
    .map(({ index }) => `m${index}`);
}

describe.skipIf(!hasVectors)('nearest', () => {
  it('finds what comparing every vector finds, in blocks and without, filtered or not', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    const count = 2_600; // five blocks, and some more
    await fill(store, project, count);
    expect(await embedAll(store, model)).toBe(count);
    const all = Array.from({ length: count }, (_, index) => index);
    const place = { store, project, model };

    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10_000, max: 1_000_000 }),
        fc.integer({ min: 1, max: 30 }),
        fc.constantFrom(count, 1_000_000),
        fc.option(fc.integer({ min: 0, max: 6 })),
        async (seed, limit, size, user) => {
          const vector = vectorOf(seed);
          const filter = user === null ? everything : ofUser(`user-${user}`);
          const found = await nearest(place, { vector, size, limit, filter });
          const indexes = user === null ? all : all.filter((index) => index % 7 === user);
          expect(found.map(({ id }) => id)).toEqual(bruteForce(indexes, { vector, limit }));
        },
      ),
      {
        ...tries(60),
        // If the filter passes hardly more than were requested.
        examples: [
          [577_839, 6, 1_000_000, 0],
          [186_433, 22, 1_000_000, 4],
        ],
      },
    );
  });

  it('never returns too few while memories match, however few match', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 2_300);
    await insert(store, project, makeMemory({ id: 'm9001', memory: 'Fact 9001', user_id: 'rare' }));
    await embedAll(store, model);

    const query = { vector: vectorOf(5), size: 1_000_000, limit: 10, filter: ofUser('rare') };
    const found = await nearest({ store, project, model }, query);

    expect(found.map(({ id }) => id)).toEqual(['m9001']);
  });

  it('finds nothing of another project or of another model', async () => {
    const { store, project, other } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 20);
    await embedAll(store, model);
    const query = { vector: vectorOf(5), size: 20, limit: 10 };
    const foreign = await makeModel(store, 'model-2');

    expect(await nearest({ store, project: other, model }, query)).toEqual([]);
    expect(await nearest({ store, project, model: foreign }, query)).toEqual([]);
  });

  it('returns the same with preloaded vectors', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 20);
    await embedAll(store, model);
    const query = { model, vector: vectorOf(5), size: 20, limit: 4 };
    const all = select(everything);

    const preloaded = await store.vectors.preload(project, all, { model, size: 20 });
    const { neighbours, compared } = await store.vectors.searchNearest(project, all, query);

    expect(await store.vectors.preload(project, all, { model, size: 1_000_000 })).toBeNull();
    expect(preloaded === null).toBe(isPostgres);
    expect(compared.size).toBe(20);
    expect(
      (await store.vectors.searchNearest(project, all, { ...query, preloaded })).neighbours,
    ).toEqual(neighbours);
  });

  it.skipIf(isPostgres)('uses preloaded vectors until something changes', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 20);
    await embedAll(store, model);
    const all = select(everything);
    const found = await store.vectors.preload(project, all, { model, size: 20 });
    const preloaded = found && { ...found, matches: found.matches.slice(0, 3) };
    const query = { model, vector: vectorOf(5), size: 20, limit: 20, preloaded };
    const count = async () => {
      const { neighbours } = await store.vectors.searchNearest(project, all, query);
      return neighbours.length;
    };
    expect(await count()).toBe(3);

    await insert(store, project, makeMemory({ id: 'm900', memory: 'Fact 900' }));

    expect(await count()).toBe(20);
  });

  it('is added to what words found, nearest first', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 20);
    await embedAll(store, model);
    const vector = vectorOf(5);
    const found = await store.memories.listByPositions(project, [2, 9, 4, 17]);

    const query = { model, vector, size: 20, limit: 3 };
    const nearest = await store.vectors.searchNearest(project, select(everything), query);
    const near = await addDenseCandidates({ tables: store, project }, query, {
      wordCandidates: found,
      nearest,
    });

    const ids = [...near.similarities.keys()];
    const all = Array.from({ length: 20 }, (_, index) => index);
    const inOrder = bruteForce(all, { vector, limit: 20 }).filter((id) => ids.includes(id));
    expect(ids).toEqual(inOrder);
    expect(ids).toEqual(expect.arrayContaining(found.map(({ id }) => id)));
    expect(ids).toEqual(expect.arrayContaining(near.candidates.map(({ id }) => id)));
  });

  it('forgets what was deleted, in memory too', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 1_100);
    await embedAll(store, model);
    const query = { vector: vectorOf(1), size: 1_000_000, limit: 3 };
    const place = { store, project, model };
    expect((await nearest(place, query))[0]?.id).toBe('m1');

    const gone = Array.from({ length: 700 }, (_, index) => `m${index}`);
    await store.transaction(({ memories }) => memories.delete(project, gone));
    const rest = Array.from({ length: 400 }, (_, index) => 700 + index);
    const found = await nearest(place, query);

    expect(found.map(({ id }) => id)).toEqual(bruteForce(rest, query));
  });

  it('sees what another process stored', async () => {
    const data_dir = await makeFolder();
    const store = await open(data_dir);
    onTestFinished(() => store.close());
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const model = await makeModel(store);
    await fill(store, project, 1_500);
    await embedAll(store, model);
    const second = await open(data_dir);
    onTestFinished(() => second.close());

    const query = { vector: vectorOf(77), size: 1_000_000, limit: 5 };
    const found = await nearest({ store: second, project, model }, query);

    expect(found[0]?.id).toBe('m77');
    expect(found[0]?.similarity).toBeCloseTo(1, 4);
  });
});

describe.skipIf(!hasVectors)('embedding', () => {
  it('asks for every memory once, and again for one whose text changed', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 5);
    expect(await embedAll(store, model)).toBe(5);

    const patch = { memory: 'Fact 800', hash: 'other', terms: 'fact 800', updated_at: later(1) };
    await store.transaction(({ memories }) => memories.update(project, 'm2', patch));

    const wanted = (await store.vectors.listUnembedded(model, 10)) ?? [];
    expect(wanted.map(({ memory }) => memory)).toEqual(['Fact 800']);
    await embedAll(store, model);
    const query = { vector: vectorOf(800), size: 5, limit: 1 };
    expect((await nearest({ store, project, model }, query))[0]?.id).toBe('m2');
    expect(await store.vectors.getProgress(model)).toEqual({ pending: 0, total: 5 });
  });

  it('asks again for a text that changed while it was embedded', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 1);
    const [{ memory: _, ...wanted } = { memory: '', position: 0, hash: '', project }] =
      (await store.vectors.listUnembedded(model, 10)) ?? [];

    const patch = { memory: 'Fact 800', hash: 'other', terms: 'fact 800', updated_at: later(1) };
    await store.transaction(({ memories }) => memories.update(project, 'm0', patch));
    await store.transaction(({ vectors }) =>
      vectors.put(model, [{ ...wanted, vector: vectorOf(0) }]),
    );

    const again = (await store.vectors.listUnembedded(model, 10)) ?? [];
    expect(again.map(({ memory }) => memory)).toEqual(['Fact 800']);
  });

  it('skips a text that the model refuses, and tries again once it changes', async () => {
    const { store, project } = await makeStore();
    const model = await makeModel(store);
    await fill(store, project, 1);
    const [{ memory: _, ...wanted } = { memory: '', position: 0, hash: '', project }] =
      (await store.vectors.listUnembedded(model, 10)) ?? [];
    await store.transaction(({ vectors }) => vectors.put(model, [{ ...wanted, vector: null }]));
    expect(await store.vectors.listUnembedded(model, 10)).toEqual([]);

    const patch = { memory: 'Fact 800', hash: 'other', terms: 'fact 800', updated_at: later(1) };
    await store.transaction(({ memories }) => memories.update(project, 'm0', patch));

    expect(await embedAll(store, model)).toBe(1);
  });

  it('starts over with another model, and keeps the vectors of the first one', async () => {
    const { store, project } = await makeStore();
    const first = await makeModel(store);
    await fill(store, project, 30);
    await embedAll(store, first);

    const second = await makeModel(store, 'model-2');
    expect(await store.vectors.getProgress(second)).toEqual({ pending: 30, total: 30 });
    expect(await embedAll(store, second)).toBe(30);

    const query = { vector: vectorOf(3), size: 30, limit: 1 };
    for (const model of [first, second]) {
      expect((await nearest({ store, project, model }, query))[0]?.id).toBe('m3');
    }
  });

  it('is the work of one process at a time, until its lease has run out', async () => {
    const { store } = await makeStore();
    const model = await makeModel(store);
    const [t1, t2, t3, t4] = [
      '2026-03-14T10:00:00.000Z',
      '2026-03-14T10:01:00.000Z',
      '2026-03-14T10:02:00.000Z',
      '2026-03-14T10:04:00.000Z',
    ];
    const claim = (owner: string, at: string, until: string) => {
      const lease = { owner, now: at, until };
      return store.transaction(({ vectors }) => vectors.acquireLease(model, lease));
    };

    expect(await claim('a', t1, t2)).toBe(true);
    expect(await claim('b', t1, t2)).toBe(false);
    expect(await claim('a', t1, t2)).toBe(true);
    expect(await claim('b', t2, t3)).toBe(true);
    expect(await claim('a', t1, t2)).toBe(false);
    // A clock that stepped back left a lease that no claim of now could have.
    expect(await claim('b', t3, t4)).toBe(true);
    expect(await claim('a', t1, t2)).toBe(true);
  });
});
