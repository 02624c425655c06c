import { sql } from 'kysely';
import type pg from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { translatePostgresError } from '../postgres/connection/errors.ts';
import {
  appRole,
  queueRole,
  schemaName,
  searchPath,
  transferLock,
} from '../postgres/connection/row-security.ts';
import { postgresDialect } from '../postgres/open.ts';
import {
  findStoreState,
  inReadOnlyTransaction,
  migratePostgres,
} from '../postgres/schema/migrate.ts';
import { ensureVectorTables } from '../postgres/search/vector-index.ts';
import type { DbContext } from '../sql/db-context.ts';
import { columnListSql } from './batches.ts';
import type { EnterProject, RowInsert, TransferWriter } from './endpoints.ts';
import {
  connectForTransfer,
  createPostgresReader,
  enterRoleSql,
  hasOtherClients,
  sequenceSql,
  type TransferConnection,
} from './postgres-reader.ts';

/** Opens the database that becomes a store. Throws `conflict` if it already holds one. */
export async function openPostgresTransferWriter(
  url: string,
  { resume }: { resume: boolean },
): Promise<TransferWriter> {
  const link = await connectForTransfer(url);
  const { client, shown } = link;
  try {
    await lockTransfer(link);
    const { version, isMoving } = await inReadOnlyTransaction(client, () => findStoreState(client));
    if (isMoving ? !resume : version > 0 && !(await isEmpty(client))) {
      throw isMoving ? transferUnfinished(shown) : targetNotEmpty(shown);
    }
    if (await hasOtherClients(client)) {
      throw new ApiError('conflict', `the database ${shown} is in use by other processes`, {
        next: 'Stop the servers and clients that use it, then move into it.',
      });
    }
    await migratePostgres(client, {
      log: () => {},
      shown,
      forTransfer: true,
    });
    const hasVectors = await ensureVectorTables(client);
    await checkOwner(link);
    return await createPostgresWriter(link, { url, hasVectors });
  } catch (error) {
    await link.close();
    throw translatePostgresError(error, shown);
  }
}

function targetNotEmpty(shown: string): ApiError {
  return new ApiError('conflict', `the database ${shown} holds other data`, {
    next: 'Nothing was changed. Move into an empty database, or drop its schema mneme first.',
  });
}

function transferUnfinished(shown: string): ApiError {
  return new ApiError('conflict', `the database ${shown} holds an unfinished move`, {
    next: 'Resume it with --resume, or drop the schema mneme and start over.',
  });
}

/** Held until the connection ends for any reason. */
async function lockTransfer({ client, shown }: TransferConnection): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>(
    `select pg_try_advisory_lock(${transferLock}) as held`,
  );
  if (rows[0]?.held) return;
  throw new ApiError('conflict', `another move into the database ${shown} is running`);
}

/** True for a new store that nobody has written to. */
async function isEmpty(client: pg.Client): Promise<boolean> {
  await client.query(`begin; ${enterRoleSql(queueRole)}`);
  try {
    const { rows } = await client.query<{ made: number; written: number }>(
      `select (select count(*) from accounts) + (select count(*) from organizations)
          + (select count(*) from projects) as made,
        coalesce(pg_sequence_last_value('memories_position'), 0)
          + coalesce(pg_sequence_last_value('history_position'), 0)
          + (select count(*) from api_keys) + (select count(*) from events)
          + (select count(*) from webhooks) + (select count(*) from projects
            where settings <> '{}' or updated_at <> created_at) as written`,
    );
    return rows[0] !== undefined && rows[0].made <= 3 && rows[0].written === 0;
  } finally {
    await client.query('rollback');
  }
}

/** Only the owner of the tables may set counters. */
async function checkOwner({ client, shown }: TransferConnection): Promise<void> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege('${schemaName}', 'usage')
      and has_sequence_privilege('${schemaName}.memories_position', 'update') as may`,
  );
  if (rows[0]?.may) return;
  throw new ApiError('unavailable', `the user of ${shown} does not own its tables`, {
    next: 'Use the address of the user that owns the tables; see docs/postgres.md.',
  });
}

async function createPostgresWriter(
  link: TransferConnection,
  { url, hasVectors }: { url: string; hasVectors: boolean },
): Promise<TransferWriter> {
  const { client, session, shown } = link;
  const reader = createPostgresReader(await connectForTransfer(url), hasVectors);
  const at: DbContext = { ...session, dialect: postgresDialect };
  return {
    reader,
    transaction: (run) => inTransaction(link, () => run(createProjectEntry(client, at))),
    insert: insertTransferRows,
    deleteProjectRows: async ({ db }, { name }, project) => {
      const tables = name === 'memories' ? ['memory_fts', name] : [name];
      for (const table of tables) {
        await sql`delete from ${sql.table(table)} where project_key = ${project}`.execute(db);
      }
    },
    setSequence: async ({ name, sequenceColumn }, value) => {
      const set = `select setval(${sequenceSql}, greatest($3::bigint, 1), $3::bigint > 0)`;
      await client.query(set, [name, sequenceColumn, value]);
    },
    finish: () => finish(link),
    close: async () => {
      await reader.close();
      await link.close();
    },
  };

  async function finish({ client }: TransferConnection): Promise<void> {
    try {
      await client.query(`set search_path to ${searchPath}`);
      // Autovacuum does not analyze partitioned tables, and query plans depend on it.
      for (const table of ['memories', 'memory_fts', 'history', 'entities', 'events']) {
        await client.query(`analyze ${table}`);
      }
      if (hasVectors) await client.query('analyze vectors');
    } catch (error) {
      throw translatePostgresError(error, shown);
    }
  }
}

async function inTransaction(
  { client, shown }: TransferConnection,
  run: () => Promise<void>,
): Promise<void> {
  try {
    await client.query(`begin; ${enterRoleSql(appRole)}`);
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw translatePostgresError(error, shown);
  }
}

function createProjectEntry(client: pg.Client, at: DbContext): EnterProject {
  let current: number | null = null;
  return async (project) => {
    if (project !== current) {
      const key = project === null ? '' : String(project);
      await client.query(`select set_config('mneme.project', $1, true)`, [key]);
    }
    current = project;
    return at;
  };
}

/** All rows are passed as one parameter, however many there are. */
async function insertTransferRows(
  { db }: DbContext,
  { table, columns, rows, replace }: RowInsert,
): Promise<void> {
  const set = columns.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`);
  const upsert = replace
    ? sql`on conflict (${columnListSql(table.key)}) do update set ${sql.join(set)}`
    : sql``;
  const name = sql.table(table.name);
  await sql`insert into ${name} (${columnListSql(columns)})
    select ${columnListSql(columns)}
    from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json) ${upsert}`.execute(
    db,
  );
}
