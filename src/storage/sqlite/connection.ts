import { type CompiledQuery, type QueryResult, SqliteAdapter, SqliteIntrospector } from 'kysely';
import type { DbSession } from '../sql/dialect.ts';
import { kyselyOverConnection } from '../sql/single-connection.ts';
import { pauseAndRetry } from './busy-retry.ts';
import type { SqliteDatabase, SqliteStatement, SqliteValue } from './driver.ts';
import { isBusy, translateSqliteError } from './errors.ts';
import { PlanKeepingCompiler } from './query-compiler.ts';
import type { ReadSnapshot } from './read-snapshot.ts';

/**
 * The number of prepared statements kept per connection; filters create many that are used once.
 */
const statementsMax = 128;

/** One connection, with its path for errors and the scope of its statements. */
export type SqliteConnection = {
  sqlite: SqliteDatabase;
  path: string;
  busy_timeout_ms: number;
  /** The scope of its statements; null if nobody else uses the file. */
  within: { snapshot: ReadSnapshot } | { transaction: SqliteTransaction } | null;
};

/** The current transaction; `id` is null outside of one. */
export type SqliteTransaction = {
  id: symbol | null;
  /** Awaited after each statement: other requests have their turn during a long transaction. */
  rest: () => Promise<void>;
};

/** Kysely over one connection. Statements run synchronously, so they never interleave. */
export function createSqliteSession(connection: SqliteConnection): DbSession {
  const execute = withRests(createExecute(connection), connection);
  const db = kyselyOverConnection(execute, {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new PlanKeepingCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  });
  const run: DbSession['run'] = async <R>(statement: CompiledQuery<R>) => {
    const result = execute<R>(statement);
    return (result instanceof Promise ? await result : result).rows;
  };
  return { db, run, send: async (statement) => void (await run(statement)) };
}

type Execute = <R>(query: CompiledQuery) => QueryResult<R> | Promise<QueryResult<R>>;

/** Reads outside of a transaction share a snapshot, which a turn of others would end. */
function withRests(execute: Execute, { within }: SqliteConnection): Execute {
  if (within === null || !('transaction' in within)) return execute;
  return async <R>(query: CompiledQuery) => {
    const result = execute<R>(query);
    await within.transaction.rest();
    return result;
  };
}

/** True for statements that change rows. */
function isWriteStatement({ query }: CompiledQuery): boolean {
  return ['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'].includes(query.kind);
}

function createExecute({ sqlite, path, busy_timeout_ms, within }: SqliteConnection): Execute {
  const prepare = createStatementCache(sqlite);
  const fail = (error: unknown): never => {
    throw translateSqliteError(error, path);
  };
  return <R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> => {
    enterScope(within, query);
    const attempt = () => executeStatement<R>(prepare(query.sql), query);
    try {
      return attempt();
    } catch (error) {
      return isBusy(error) ? pauseAndRetry(busy_timeout_ms, attempt).catch(fail) : fail(error);
    }
  };
}

/** Reads begin a snapshot unless there is one; writes need a running transaction. */
function enterScope(within: SqliteConnection['within'], query: CompiledQuery): void {
  if (within === null) return;
  if ('transaction' in within) {
    if (within.transaction.id !== null) return;
    throw new Error('these tables belong to a transaction that ended');
  }
  if (isWriteStatement(query)) throw new Error('writes belong in store.transaction');
  within.snapshot.begin();
}

function executeStatement<R>(statement: RowStatement, query: CompiledQuery): QueryResult<R> {
  // The tables bind only types that SQLite accepts.
  const values = query.parameters as SqliteValue[];
  if (!isWriteStatement(query) || hasReturning(query))
    return { rows: statement.rows(values) as R[] };
  const { changes } = statement.run(values);
  return { rows: [], numAffectedRows: BigInt(changes) };
}

function hasReturning({ query }: CompiledQuery): boolean {
  return 'returning' in query && query.returning !== undefined;
}

function createStatementCache(sqlite: SqliteDatabase): (sql: string) => RowStatement {
  const statements = new Map<string, RowStatement>();
  return (sql) => {
    const statement = statements.get(sql) ?? prepareRowStatement(sqlite, sql);
    // A map keeps insertion order: the last used statement moves to the end.
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsMax && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}

type RowStatement = {
  rows(values: readonly SqliteValue[]): object[];
  run(values: readonly SqliteValue[]): { changes: number | bigint };
};

/**
 * A prepared statement. Drivers return rows as arrays in half the time of objects, for which they
 * look up each column name again; the objects are made here.
 */
function prepareRowStatement(sqlite: SqliteDatabase, sql: string): RowStatement {
  const statement = sqlite.prepare(sql);
  return {
    rows: createRowReader(statement),
    run: (values) => statement.run(...values),
  };
}

function createRowReader(statement: SqliteStatement): RowStatement['rows'] {
  const names = columnNamesOf(statement);
  if (names === null) return (values) => statement.all(...values) as object[];
  return (values) =>
    (statement.all(...values) as SqliteValue[][]).map((row) => toObject(names, row));
}

/** Null if the driver returns rows as objects only, or the statement returns no columns. */
function columnNamesOf(statement: SqliteStatement): string[] | null {
  if (statement.columns === undefined || statement.setReturnArrays === undefined) return null;
  const names = statement.columns().map(({ name }) => name);
  if (names.length > 0) statement.setReturnArrays(true);
  return names.length > 0 ? names : null;
}

function toObject(names: readonly string[], row: readonly SqliteValue[]): object {
  const object: Record<string, unknown> = {};
  for (let at = 0; at < names.length; at += 1) object[names[at] ?? ''] = row[at];
  return object;
}
