import { expect, it, onTestFinished } from 'vitest';
import { prepareStatement, type StatementParameters } from '../../src/storage/sql/prepared.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { openStore, storePath } from '../../src/storage/store.ts';
import { makeMemory, now } from './memory.ts';
import { insert, makeFolder } from './support.ts';

const quiet = { synchronous: 'normal', busy_timeout_ms: 2_000, log: () => {} } as const;

/** Reads a file with three memories. */
async function makeReader() {
  const data_dir = await makeFolder();
  const store = await openStore({ ...quiet, data_dir });
  const project = await store.ensureProject({ org_id: 'acme', project_id: 'own' }, now);
  await insert(store, project, ...['a', 'b', 'c'].map((id) => makeMemory({ id })));
  await store.close();
  const engine = await openSqlite({ ...quiet, path: storePath(data_dir) });
  onTestFinished(() => engine.close());
  return engine.reader;
}

it('a limit that is known is no value to bind, for which SQLite would plan anew', async () => {
  const { db } = await makeReader();
  const two = db.selectFrom('memories').select('id').orderBy('id').limit(2);

  const { sql, parameters } = two.compile();
  expect(sql).toMatch(/ limit 2$/);
  expect(parameters).toEqual([]);
  expect(await two.execute()).toEqual([{ id: 'a' }, { id: 'b' }]);
  expect(await two.offset(2).execute()).toEqual([{ id: 'c' }]);
});

it('a prepared statement has another limit at each run', async () => {
  const reader = await makeReader();
  const first = prepareStatement((db, value: StatementParameters<{ limit: number }>) =>
    db.selectFrom('memories').select('id').orderBy('id').limit(value('limit')),
  );
  const idsOf = async (limit: number) =>
    (await first(reader, { limit })).map(({ id }) => id).join();

  expect(await idsOf(1)).toBe('a');
  expect(await idsOf(3)).toBe('a,b,c');
  expect(await idsOf(0)).toBe('');
  expect(await idsOf(-1)).toBe('a,b,c');
});
