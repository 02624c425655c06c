import { sql } from 'kysely';
import type pg from 'pg';
import { ApiError } from '../../contract/errors.ts';
import { behind, inBatches, moves, names } from '../move/batches.ts';
import type { MovedRow, MoveReader, Walk } from '../move/sides.ts';
import { checkSource } from '../move/source.ts';
import type { MovedTable } from '../move/tables.ts';
import type { Session } from './dialect.ts';
import { createSession } from './postgres-connection.ts';
import { translateError } from './postgres-errors.ts';
import { findState, hasTable, reading } from './postgres-migrate.ts';
import { createPostgres } from './postgres-pool.ts';
import { isPooled } from './postgres-pooler.ts';
import { appRole, schemaName, searchPath } from './postgres-scope.ts';

/** One connection, with what may be told of where it leads. */
export type Link = { client: pg.Client; session: Session; shown: string; close(): Promise<void> };

export async function connect(url: string): Promise<Link> {
  const limits = { pool_size: 1, statement_timeout_ms: 0, busy_timeout_ms: connectMs };
  const { connect, shown, end } = createPostgres({ ...limits, url, log: () => {} });
  const client = connect();
  client.on('error', () => {}); // the statement that is under way, or the next one, hears of it
  try {
    await client.connect();
    if (await isPooled(client, connect)) throw pooled(shown);
    // It is no server: others are told apart by this name.
    await client.query(`set application_name to '${ownName}'`);
  } catch (error) {
    await client.end().catch(() => {});
    throw translateError(error, shown);
  }
  const close = async () => {
    await client.end().catch(() => {});
    await end();
  };
  return { client, session: createSession(client), shown, close };
}

/** A lock that lasts as long as a move, and who else is connected, are the server's to say. */
function pooled(shown: string): ApiError {
  return new ApiError('invalid', `the address ${shown} leads to a pooler`, {
    next: 'Move with the address of the PostgreSQL server itself.',
  });
}

const connectMs = 10_000;
const ownName = 'mneme migrate';

/** Reads a database in one transaction, which changes nothing and sees one moment. */
export async function openPostgresReader(url: string): Promise<MoveReader> {
  const link = await connect(url);
  const { client, shown } = link;
  try {
    const { version, isMoving } = await reading(client, () => findState(client));
    const where = `the database ${shown}`;
    if (isMoving) {
      throw new ApiError('unavailable', `${where} holds a move that has not ended: end it first`);
    }
    checkSource({ version, shown: where });
    return readerOf(link, await hasTable(client, 'vectors'));
  } catch (error) {
    await link.close();
    throw translateError(error, shown);
  }
}

export function readerOf(link: Link, hasVectors: boolean): MoveReader {
  const { client, session, shown } = link;
  const { db } = session;
  const shownError = <T>(run: () => Promise<T>) =>
    run().catch((error: unknown) => {
      throw translateError(error, shown);
    });
  return {
    shown,
    hasVectors,
    look: () =>
      shownError(async () => {
        await client.query('rollback');
        await client.query(`begin isolation level repeatable read read only; ${roleSql(appRole)}`);
      }),
    isIntact: () => true,
    isInUse: () => shownError(() => isInUse(client)),
    columnsOf: (table) =>
      shownError(async () => {
        const { rows } = await sql<{ name: string }>`
          select attname as name from pg_attribute
          where attrelid = ${`${schemaName}.${table}`}::regclass and attnum > 0
            and not attisdropped
          order by attnum`.execute(db);
        return rows.map(({ name }) => name);
      }),
    walk: (table, walk) => walkOver(link, table, walk),
    counterOf: ({ name, counts }) => shownError(() => counterOf(link, name, counts)),
    close: link.close,
  };
}

/** Statements may take as long as they need, and so may the other side between two of them. */
export function roleSql(role: string): string {
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

export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_stat_activity where datname = current_database()
      and application_name = 'mneme' and pid <> pg_backend_pid()`,
  );
  return rowCount !== 0;
}

/** Project by project: policies of rows let nobody see those of two. */
async function* walkOver(link: Link, table: MovedTable, { columns, after = null, projects }: Walk) {
  const { client, session, shown } = link;
  try {
    if (!table.isProjects) {
      yield* inBatches(table.key, after, (at, limit) =>
        readRows(session, table, { columns, at, limit, project: null }),
      );
      return;
    }
    const [first, ...key] = after ?? [];
    for (const project of await projectsOf(session)) {
      if (projects?.has(project) === false || (first !== undefined && project < Number(first)))
        continue;
      await client.query(`select set_config('mneme.project', $1, true)`, [String(project)]);
      const from = project === first && key.length > 0 ? key : null;
      const read = (at: readonly (string | number)[] | null, limit: number) =>
        readRows(session, table, { columns, at, limit, project });
      for await (const { rows, cursor } of inBatches(table.key, from, read)) {
        yield { rows, cursor: [project, ...cursor] };
      }
    }
  } catch (error) {
    throw translateError(error, shown);
  }
}

async function projectsOf({ db }: Session): Promise<number[]> {
  const rows = await db.selectFrom('projects').select('key').orderBy('key').execute();
  return rows.map(({ key }) => key);
}

type Reading = {
  columns: readonly string[];
  at: readonly (string | number)[] | null;
  limit: number;
  project: number | null;
};

async function readRows(
  { db }: Session,
  table: MovedTable,
  { columns, at, limit, project }: Reading,
): Promise<MovedRow[]> {
  const own = project === null ? sql`true` : sql`project_key = ${project}`;
  const { rows } = await sql<MovedRow>`
    select ${names(columns)} from ${sql.table(table.name)}
    where ${own} and ${moves(table)} and ${behind(table.key, at)}
    order by ${names(table.key)} limit ${limit}`.execute(db);
  if (project === null) return rows;
  return rows.map((row) => toMoved(row, project));
}

function toMoved(row: MovedRow, project_key: number): MovedRow {
  const { vector } = row;
  if (typeof vector !== 'string') return { ...row, project_key };
  return { ...row, project_key, vector: Float32Array.from(JSON.parse(vector)) };
}

async function counterOf({ client }: Link, name: string, column: string): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `select coalesce(pg_sequence_last_value(${sequenceSql}), 0) as last`,
    [name, column],
  );
  return rows[0]?.last ?? 0;
}

/** The sequence of a column, named after it where the column was not made with it. */
export const sequenceSql = `coalesce(
  pg_get_serial_sequence('${schemaName}.' || $1, $2),
  '${schemaName}.' || $1 || '_' || $2)::regclass`;
