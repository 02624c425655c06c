import { sql } from 'kysely';
import type pg from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { translatePostgresError } from '../postgres/connection/errors.ts';
import { createPostgresPool } from '../postgres/connection/pool.ts';
import { isBehindPooler } from '../postgres/connection/pooler.ts';
import { appRole, schemaName, searchPath } from '../postgres/connection/row-security.ts';
import { createPostgresSession } from '../postgres/connection/session.ts';
import { findStoreState, hasTable, inReadOnlyTransaction } from '../postgres/schema/migrate.ts';
import type { DbSession } from '../sql/dialect.ts';
import { afterCursorSql, columnListSql, isTransferredSql, readInBatches } from './batches.ts';
import type { TableScan, TransferReader, TransferRow } from './endpoints.ts';
import { checkSourceSchema } from './source-schema.ts';
import type { TransferTable } from './tables.ts';

/** A connection, and its address without secrets. */
export type TransferConnection = {
  client: pg.Client;
  session: DbSession;
  shown: string;
  close(): Promise<void>;
};

export async function connectForTransfer(url: string): Promise<TransferConnection> {
  const limits = { pool_size: 1, statement_timeout_ms: 0, busy_timeout_ms: connectTimeoutMs };
  const { connect, shown, end } = createPostgresPool({ ...limits, url, log: () => {} });
  const client = connect();
  client.on('error', () => {}); // reported by the current or the next statement
  try {
    await client.connect();
    if (await isBehindPooler(client, connect)) throw poolerRefused(shown);
    // Distinguishes it from servers, which have another name.
    await client.query(`set application_name to '${transferApplicationName}'`);
  } catch (error) {
    await client.end().catch(() => {});
    throw translatePostgresError(error, shown);
  }
  const close = async () => {
    await client.end().catch(() => {});
    await end();
  };
  return { client, session: createPostgresSession(client), shown, close };
}

/** A pooler can neither hold a lock for a whole move nor tell who else is connected. */
function poolerRefused(shown: string): ApiError {
  return new ApiError('invalid', `the address ${shown} is that of a pooler`, {
    next: 'Use the address of the PostgreSQL server itself.',
  });
}

const connectTimeoutMs = 10_000;
const transferApplicationName = 'mneme migrate';

/** Reads a database in one transaction, which changes nothing and sees one moment. */
export async function openPostgresTransferReader(url: string): Promise<TransferReader> {
  const link = await connectForTransfer(url);
  const { client, shown } = link;
  try {
    const { version, isMoving } = await inReadOnlyTransaction(client, () => findStoreState(client));
    const where = `the database ${shown}`;
    if (isMoving) {
      throw new ApiError('unavailable', `${where} holds an unfinished move: finish it first`);
    }
    checkSourceSchema({ version, shown: where });
    return createPostgresReader(link, await hasTable(client, 'vectors'));
  } catch (error) {
    await link.close();
    throw translatePostgresError(error, shown);
  }
}

export function createPostgresReader(
  link: TransferConnection,
  hasVectors: boolean,
): TransferReader {
  const { client, shown } = link;
  const shownError = <T>(run: () => Promise<T>) =>
    run().catch((error: unknown) => {
      throw translatePostgresError(error, shown);
    });
  return {
    shown,
    hasVectors,
    refresh: () =>
      shownError(async () => {
        await client.query('rollback');
        await client.query(
          `begin isolation level repeatable read read only; ${enterRoleSql(appRole)}`,
        );
      }),
    isConsistent: () => true,
    isInUse: () => shownError(() => hasOtherClients(client)),
    scan: (table, walk) => scanTable(link, table, walk),
    readSequence: ({ name, sequenceColumn }) =>
      shownError(() => readSequence(link, name, sequenceColumn)),
    close: link.close,
  };
}

/** Without time limits: statements may be long, and so may the pauses between them. */
export function enterRoleSql(role: string): string {
  const settings = {
    role,
    search_path: searchPath,
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    'mneme.project': '',
  };
  const set = Object.entries(settings).map(([name, value]) => {
    return `set_config('${name}', '${value}', true)`;
  });
  return `select ${set.join(', ')}`;
}

export async function hasOtherClients(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database()
      and application_name = 'mneme' and pid <> pg_backend_pid()`,
  );
  return rowCount !== 0;
}

/** Project by project, because row policies show only one at a time. */
async function* scanTable(
  link: TransferConnection,
  table: TransferTable,
  { columns, after = null, projects }: TableScan,
) {
  const { client, session, shown } = link;
  try {
    if (!table.isPerProject) {
      yield* readInBatches(table.key, after, (at, limit) =>
        readRows(session, table, { columns, at, limit, project: null }),
      );
      return;
    }
    const [first, ...key] = after ?? [];
    for (const project of await listProjectKeys(session)) {
      if (projects?.has(project) === false || (first !== undefined && project < Number(first)))
        continue;
      await client.query(`select set_config('mneme.project', $1, true)`, [String(project)]);
      const from = project === first && key.length > 0 ? key : null;
      const read = (at: readonly (string | number)[] | null, limit: number) =>
        readRows(session, table, { columns, at, limit, project });
      for await (const { rows, cursor } of readInBatches(table.key, from, read)) {
        yield { rows, cursor: [project, ...cursor] };
      }
    }
  } catch (error) {
    throw translatePostgresError(error, shown);
  }
}

async function listProjectKeys({ db }: DbSession): Promise<number[]> {
  const rows = await db.selectFrom('projects').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

type RowsQuery = {
  columns: readonly string[];
  at: readonly (string | number)[] | null;
  limit: number;
  project: number | null;
};

async function readRows(
  { db }: DbSession,
  table: TransferTable,
  { columns, at, limit, project }: RowsQuery,
): Promise<TransferRow[]> {
  const own = project === null ? sql`true` : sql`project_key = ${project}`;
  const { rows } = await sql<TransferRow>`
    select ${columnListSql(columns)} from ${sql.table(table.name)}
    where ${own} and ${isTransferredSql(table)} and ${afterCursorSql(table.key, at)}
    order by ${columnListSql(table.key)} limit ${limit}`.execute(db);
  if (project === null) return rows;
  return rows.map((row) => toTransferRow(row, project));
}

function toTransferRow(row: TransferRow, project_key: number): TransferRow {
  const { vector } = row;
  if (typeof vector !== 'string') return { ...row, project_key };
  return { ...row, project_key, vector: Float32Array.from(JSON.parse(vector)) };
}

async function readSequence(
  { client }: TransferConnection,
  name: string,
  column: string,
): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `select coalesce(pg_sequence_last_value(${sequenceSql}), 0) as last`,
    [name, column],
  );
  return rows[0]?.last ?? 0;
}

/** The sequence of a column; found by its name if the column does not own it. */
export const sequenceSql = `coalesce(
  pg_get_serial_sequence('${schemaName}.' || $1, $2),
  '${schemaName}.' || $1 || '_' || $2)::regclass`;
