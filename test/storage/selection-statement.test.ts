import { expect, it, onTestFinished } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { createSqliteDialect } from '../../src/storage/sqlite/dialect.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import {
  keptShapesMax,
  prepareForSelection,
} from '../../src/storage/tables/search/selection-statement.ts';
import { makeMemory, now } from './memory.ts';
import { compare, insert, makeFolder, ofUser, select } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;

/** A query on a file with the memories of two users, and how often its statement was built. */
async function makeQuery() {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(
    store,
    project,
    makeMemory({ id: 'a', user_id: 'ann', run_id: 'r', metadata: { k: 'x' } }),
    makeMemory({ id: 'b', user_id: 'bob', run_id: 'r' }),
  );
  await store.close();
  const engine = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(() => engine.close());
  const counts = { built: 0 };
  const readIds = prepareForSelection(({ db, where }) => {
    counts.built += 1;
    return db.selectFrom('memories').select('memories.id').where(where).orderBy('memories.id');
  });
  const at = { ...engine.reader, dialect: createSqliteDialect() };
  const find = async (filter: Filter, parts = {}) => {
    const rows = await readIds(at, { project, selection: select(filter, parts) }, {});
    return rows.map(({ id }) => id).join();
  };
  return { find, counts };
}

/** Filters of so many shapes, each of another number of comparisons. */
function anyOf(count: number): Filter {
  return { any: Array.from({ length: count }, () => ofUser('ann')) };
}

it('filters that differ only in values share a statement', async () => {
  const { find, counts } = await makeQuery();

  expect(await find(ofUser('ann'))).toBe('a');
  expect(await find(ofUser('bob'))).toBe('b');
  expect(await find(ofUser('eve'))).toBe('');
  expect(await find({ all: [{ all: [ofUser('ann')] }] })).toBe('a');
  expect(counts.built).toBe(1);
});

it('equivalent filters share a statement, whatever their order', async () => {
  const { find, counts } = await makeQuery();
  const [user, run] = [ofUser('ann'), compare('run_id', 'eq', 'r')];

  expect(await find({ all: [user, run] })).toBe('a');
  expect(await find({ all: [run, user] })).toBe('a');
  expect(await find({ all: [{ all: [run] }, { all: [{ all: [user] }] }] })).toBe('a');
  expect(counts.built).toBe(1);
});

it('each shape has its own statement', async () => {
  const { find, counts } = await makeQuery();
  const inMetadata = (value: string): Filter => {
    return { field: 'metadata', path: ['k'], operator: 'eq', value };
  };

  expect(await find(inMetadata('x'))).toBe('a');
  expect(await find(inMetadata('y'))).toBe('');
  expect(await find({ none: [inMetadata('x')] })).toBe('b');
  expect(await find({ none: [inMetadata('y')] })).toBe('a,b');
  expect(await find(ofUser('ann'), { latest_only: true })).toBe('a');
  expect(await find(ofUser('ann'), { not_expired_on: '2026-01-01' })).toBe('a');
  expect(counts.built).toBe(4);
});

it('the statement used last is kept, the one not used for longest is not', async () => {
  const { find, counts } = await makeQuery();
  const shape = (number: number): Filter => {
    return { all: [anyOf(Math.floor(number / 8) + 1), anyOf((number % 8) + 1)] };
  };
  const used = (number: number) => find(shape(number));

  for (let number = 0; number < keptShapesMax; number += 1) await used(number);
  await used(0);
  expect(counts.built).toBe(keptShapesMax);
  await find(ofUser('ann'));
  await used(0);
  expect(counts.built).toBe(keptShapesMax + 1);
  await used(1);
  expect(counts.built).toBe(keptShapesMax + 2);
});

it('a statement of very many comparisons is built each time and not kept', async () => {
  const { find, counts } = await makeQuery();

  for (let time = 1; time <= 3; time += 1) {
    expect(await find(anyOf(195))).toBe('a');
    expect(counts.built).toBe(time);
  }
});
