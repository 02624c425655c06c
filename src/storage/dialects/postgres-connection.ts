import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { ClientBase } from 'pg';
import type { Session } from './dialect.ts';
import { overOneConnection } from './session.ts';

/** Kysely over one connection. */
export function createSession(client: ClientBase): Session {
  const execute = async <R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> => {
    const { command, rowCount, rows } = await client.query(sql, parameters.map(toValue));
    return changing.has(command)
      ? { rows, numAffectedRows: BigInt(rowCount ?? 0) }
      : { rows: rows as R[] };
  };
  const db = overOneConnection(execute, {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  });
  return { db, run: async (statement) => (await execute<never>(statement)).rows };
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** PostgreSQL has no text with this character in it: nothing that is stored can hold it. */
function toValue(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0')
    ? value.replaceAll('\0', '\ufffd')
    : value;
}
