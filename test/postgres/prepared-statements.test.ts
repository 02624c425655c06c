import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Filter } from '../../src/contract/schemas/filter.ts';
import { createPostgresPool } from '../../src/storage/postgres/connection/pool.ts';
import { postgresDialect } from '../../src/storage/postgres/open.ts';
import { prepareStatement, type StatementParameters } from '../../src/storage/sql/prepared.ts';
import { prepareForSelection } from '../../src/storage/tables/search/selection-statement.ts';
import { makeFolder, ofUser, open, select } from '../storage/support.ts';
import { databaseOf, inDatabase, isPostgres } from '../support/database.ts';

/** A process with one connection, whose statements that come again have names. */
async function openOne() {
  const folder = await makeFolder();
  const { database } = await databaseOf(folder);
  if (database === undefined) throw new Error('these tests need a server');
  const made = await open(folder, { database });
  await made.close();
  await inDatabase(folder, (client) =>
    client.query(
      'create table mneme.colours as select 1 as shade; grant select on mneme.colours to public',
    ),
  );
  const limits = { pool_size: 1, statement_timeout_ms: 10_000, busy_timeout_ms: 2_000 };
  const postgres = createPostgresPool({ ...limits, url: database.url, log: () => {} });
  onTestFinished(() => postgres.end());
  const look = prepareStatement((db, value: StatementParameters<{ shade: number }>) => ({
    compile: () => sql<object>`select * from colours where shade = ${value('shade')}`.compile(db),
  }));
  const find = () => postgres.read('tenants', (session) => look(session, { shade: 1 }));
  return { folder, postgres, find, look };
}

describe.skipIf(!isPostgres)('a repeated statement', () => {
  it('is planned once for each connection', async () => {
    const { postgres, find } = await openOne();

    for (let time = 0; time < 3; time += 1) await find();

    const { rows } = await postgres.asOwner((client) =>
      client.query(`select from pg_prepared_statements where statement like '%from colours%'`),
    );
    expect(rows).toHaveLength(1);
  });

  it('has one plan for all values; one built for a request is planned for its values', async () => {
    const { postgres, find } = await openOne();
    const modeOf = (shade: number) =>
      postgres.read('tenants', async (session) => {
        const { rows } = await sql<{ mode: string }>`
          select current_setting('plan_cache_mode') as mode, ${shade}::text`.execute(session.db);
        return rows.map(({ mode }) => mode);
      });

    await find();
    expect(await modeOf(1)).toEqual(['auto']);
    await find();

    const { rows } = await postgres.asOwner((client) =>
      client.query(`select generic_plans::int, custom_plans::int from pg_prepared_statements
        where statement like '%from colours%'`),
    );
    expect(rows).toEqual([{ generic_plans: 2, custom_plans: 0 }]);
  });

  it('is planned again after its table has grown, before the server has analyzed it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { folder, postgres, look } = await openOne();
    await inDatabase(folder, (client) =>
      client.query(`alter table mneme.colours set (autovacuum_enabled = off);
        create index on mneme.colours (shade); analyze mneme.colours`),
    );
    const findsByIndex = () =>
      postgres.read('tenants', async (session) => {
        await look(session, { shade: 1 });
        const { rows } = await sql<{ found: number }>`
          select idx_scan::int as found from pg_stat_xact_user_tables
            where relname = 'colours'`.execute(session.db);
        return rows.map(({ found }) => found > 0);
      });
    expect(await findsByIndex()).toEqual([false]);

    await inDatabase(folder, (client) =>
      client.query('insert into mneme.colours select generate_series(2, 50000)'),
    );
    expect(await findsByIndex()).toEqual([false]);
    vi.advanceTimersByTime(10_000);
    expect(await findsByIndex()).toEqual([true]);
  });

  it('works after a pooler has lent the connection to others', async () => {
    const { postgres, find } = await openOne();
    await find();
    await postgres.asOwner((client) => client.query('deallocate all'));

    expect(await find()).toEqual([{ shade: 1 }]);
    expect(await find()).toEqual([{ shade: 1 }]);
    const { rows } = await postgres.asOwner((client) =>
      client.query('select from pg_prepared_statements'),
    );
    expect(rows).toEqual([]);
  });

  it('works after its table has gained a column', async () => {
    const { folder, postgres, find } = await openOne();
    await find();
    await inDatabase(folder, (client) =>
      client.query('alter table mneme.colours add column name text'),
    );

    expect(await find()).toEqual([{ shade: 1, name: null }]);
    // On another connection, which keeps it as the one before did.
    const { rows } = await postgres.asOwner((client) =>
      client.query(`select from pg_prepared_statements where statement like '%from colours%'`),
    );
    expect(rows).toHaveLength(1);
  });

  it('is kept by the server for filters by entity and time, but not for other shapes', async () => {
    const { postgres } = await openOne();
    const readIds = prepareForSelection(({ db, where }) =>
      db.selectFrom('memories').select('memories.id').where(where),
    );
    const read = (filter: Filter) =>
      postgres.read(1, (session) =>
        readIds(
          { ...session, dialect: postgresDialect },
          { project: { key: 1 }, selection: select(filter) },
          {},
        ),
      );

    for (const user_id of ['ann', 'bob']) await read(ofUser(user_id));
    for (let count = 2; count < 12; count += 1) {
      await read({ any: Array.from({ length: count }, (_, index) => ofUser(`u${index}`)) });
      await read({ all: Array.from({ length: count }, (_, index) => ofUser(`u${index}`)) });
    }

    const { rows } = await postgres.asOwner((client) =>
      client.query(`select from pg_prepared_statements where statement like '%"memories"%'`),
    );
    expect(rows).toHaveLength(1);
  });
});
