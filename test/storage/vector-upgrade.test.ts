import { expect, it } from 'vitest';
import type { EmbeddingModel, ProjectRef, Store } from '../../src/core/ports/index.ts';
import { decodeVector, encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { loadSqlite } from '../../src/storage/sqlite/driver.ts';
import { quantizeQuery } from '../../src/storage/sqlite/vectors/quantize.ts';
import { storePath } from '../../src/storage/store.ts';
import { isPostgres } from '../support/database.ts';
import { clustered, isotropic, type Random } from '../support/vectors.ts';
import { makeMemory, now } from './memory.ts';
import { nearestMemories } from './nearest.ts';
import { takeBackVectors, takeBackVectorsTo15 } from './schema-10.ts';
import { takeBackMayReplace } from './schema-16.ts';
import { insert, makeFolder, open, select } from './support.ts';

const openSqlite = await loadSqlite();
const dimension = 48;
/** More than one block of them. */
const count = 700;

/** Steps of a golden section reach every part of the range. */
function steps(): Random {
  let at = 0;
  return () => (at = (at + 0.618_033_988_749) % 1);
}

const made = clustered(count, { dimension, random: steps(), topics: 20, spread: 0.1 });

async function fill(store: Store, project: ProjectRef): Promise<EmbeddingModel> {
  const scale = { unrelated: 0, related: 0.5, trust: 1 };
  const space = await store.vectors.openModel({ name: 'model-1', dimension, scale }, now);
  const all = made.map((_, at) => makeMemory({ id: `m${at}`, memory: `Fact ${at}` }));
  await insert(store, project, ...all);
  const wanted = (await store.vectors.listUnembedded(space, count)) ?? [];
  const embedded = wanted.map(({ memory, ...rest }) => {
    return { ...rest, vector: made[Number(/\d+/.exec(memory))] ?? new Float32Array(dimension) };
  });
  await store.transaction((tables) => tables.vectors.put(space, embedded));
  return space;
}

const formats = {
  14: { bytes: 4 * dimension, takeBack: takeBackVectors },
  15: { bytes: 2 * dimension + 2, takeBack: takeBackVectorsTo15 },
};

it.skipIf(isPostgres).each([14, 15] as const)(
  'a file of schema %i finds the same by its shorter vectors',
  async (version) => {
    const { bytes, takeBack } = formats[version];
    const folder = await makeFolder();
    const store = await open(folder);
    const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
    const space = await fill(store, project);
    const nearest = (one: Store, size: number) => {
      const vector = made[123] ?? new Float32Array();
      return nearestMemories({ store: one, project }, select(), { space, vector, size, limit: 10 });
    };
    const before = [await nearest(store, count), await nearest(store, 1_000_000)];
    await store.transaction((tables) => tables.memories.delete(project, [`m${count - 1}`]));
    await store.close();
    const file = openSqlite(storePath(folder));
    takeBack(file);
    takeBackMayReplace(file, version);
    file.exec('drop index memory_versions_by_text');
    const lengths = 'select distinct length(vector) as bytes from vectors';
    const given = `select seq from sqlite_sequence where name = 'vectors'`;
    expect(file.prepare(lengths).all()).toEqual([{ bytes }]);
    const last = file.prepare(given).all();

    const upgraded = await open(folder);

    const after = [await nearest(upgraded, count), await nearest(upgraded, 1_000_000)];
    for (const [way, found] of after.entries()) {
      const near = found.map(({ similarity }) => ({ similarity: expect.closeTo(similarity, 3) }));
      expect(before[way]).toMatchObject(near);
    }
    expect(after[0]).toEqual(after[1]);
    await upgraded.close();
    expect(file.prepare(lengths).all()).toEqual([{ bytes: dimension + 4 }]);
    // No key is given out twice: a process may still know that of the deleted memory.
    expect(file.prepare(given).all()).toEqual(last);
    const tables = file.prepare(`select name from sqlite_schema where name like 'vector%'`).all();
    expect(tables).toEqual([{ name: 'vectors' }, { name: 'vectors_by_model' }]);
    file.close();
  },
);

it.skipIf(isPostgres)('vectors of a process from before the upgrade hide no others', async () => {
  const folder = await makeFolder();
  const store = await open(folder);
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  const space = await fill(store, project);
  await store.close();
  const file = openSqlite(storePath(folder));
  const [last] = file.prepare('select max(position) as position from vectors').all();
  const { position } = last as { position: number }; // the statement defines the row type
  file
    .prepare('update vectors set vector = zeroblob(?) where position = ?')
    .run(4 * dimension, position);
  file.close();

  const opened = await open(folder);
  const more = made.map((vector, at) => ({ memory: makeMemory({ id: `n${at}` }), vector }));
  await insert(opened, project, ...more.map(({ memory }) => memory));
  const wanted = (await opened.vectors.listUnembedded(space, count)) ?? [];
  const embedded = wanted.map(({ memory: _, ...rest }, at) => {
    return { ...rest, vector: more[at]?.vector ?? new Float32Array(dimension) };
  });
  await opened.transaction((tables) => tables.vectors.put(space, embedded));

  for (const size of [count, 1_000_000]) {
    const vector = made.at(-2) ?? new Float32Array();
    const asked = { space, vector, size, limit: 2 * count };
    const found = await nearestMemories({ store: opened, project }, select(), asked);
    expect(found).toHaveLength(2 * count - 1);
    expect(found[0]).toMatchObject({ similarity: expect.closeTo(1, 3) });
  }
  await opened.close();
});

it('a stored vector is nearly as near as one of floats, and is kept without a loss', () => {
  const numbers = isotropic(200, { dimension: 384, random: steps() });
  const special = [[1, -1, 2 ** -149], [2 ** -149, 0], [2 ** -140], [Number.POSITIVE_INFINITY]];
  const others = special.map((values) => Float32Array.from(values));
  for (const vector of [...numbers, new Float32Array(384), ...others]) {
    const stored = encodeVector(vector);
    const decoded = decodeVector(stored);

    expect(stored.byteLength).toBe(vector.length + 4);
    expect(encodeVector(decoded)).toEqual(stored);
    const largest = Math.max(...vector.map(Math.abs));
    for (const [at, value] of vector.entries()) {
      expect(Math.abs(value - (decoded[at] ?? 0))).toBeLessThanOrEqual(largest / 253 + 2 ** -140);
    }
  }
});

it('no query is so long that its products with stored vectors overflow', () => {
  for (const width of [16, 384, 1024, 16_384]) {
    for (const vector of [
      new Float32Array(width).fill(1 / Math.sqrt(width)),
      Float32Array.from({ length: width }, (_, at) => (at === 7 ? 1 : 0)),
    ]) {
      const { query, scale } = quantizeQuery(vector);

      const largest = query.reduce((sum, value) => sum + 127 * Math.abs(value), 0);
      expect(largest).toBeLessThan(2 ** 31);
      const similarity =
        query.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0) * scale;
      expect(similarity).toBeCloseTo(1, 3);
    }
  }
});
