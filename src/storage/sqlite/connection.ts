import {
  type CompiledQuery,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DbSession } from '../sql/dialect.ts';
import { kyselyOverConnection } from '../sql/single-connection.ts';
import { retryWhileBusy } from './busy-retry.ts';
import type { SqliteDatabase, SqliteValue } from './driver.ts';
import { translateSqliteError } from './errors.ts';
import { prepareRowStatement, type RowStatement } from './row-reader.ts';

/** Statements kept prepared on a connection; filters make many that are used once. */
const statementsMax = 128;

/** One connection, with its statements and errors; `guard` may refuse a statement. */
export type SqliteConnection = {
  sqlite: SqliteDatabase;
  path: string;
  busy_timeout_ms: number;
  guard: (query: CompiledQuery) => void;
};

/** Kysely over one connection. Statements run at once, so they never interleave. */
export function createSqliteSession(connection: SqliteConnection): DbSession {
  const execute = createExecute(connection);
  const db = kyselyOverConnection(execute, {
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  });
  const run: DbSession['run'] = async <R>(statement: CompiledQuery<R>) => {
    const result = execute<R>(statement);
    return (result instanceof Promise ? await result : result).rows;
  };
  return { db, run, send: async (statement) => void (await run(statement)) };
}

/** True for statements that change rows. */
export function isWriteStatement({ query }: CompiledQuery): boolean {
  return ['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'].includes(query.kind);
}

function createExecute({ sqlite, path, busy_timeout_ms, guard }: SqliteConnection) {
  const prepare = createStatementCache(sqlite);
  const fail = (error: unknown): never => {
    throw translateSqliteError(error, path);
  };
  return <R>(query: CompiledQuery): QueryResult<R> | Promise<QueryResult<R>> => {
    guard(query);
    try {
      const result = retryWhileBusy(busy_timeout_ms, () =>
        executeStatement<R>(prepare(query.sql), query),
      );
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
}

function executeStatement<R>(statement: RowStatement, query: CompiledQuery): QueryResult<R> {
  // Values are those that the tables of this part bind; SQLite refuses any other.
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
    // A map keeps the order of insertion: what was used last moves to its end.
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements.keys();
    if (statements.size > statementsMax && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}
