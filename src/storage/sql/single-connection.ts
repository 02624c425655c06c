import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Database } from './dialect.ts';
import type { DatabaseSchema } from './schema.ts';

type ExecuteQuery = <R>(query: CompiledQuery) => QueryResult<R> | Promise<QueryResult<R>>;

/** Kysely over one connection, which the caller opens, closes and begins transactions on. */
export function kyselyOverConnection(
  execute: ExecuteQuery,
  parts: StrictOmit<Dialect, 'createDriver'>,
): Database {
  const only: DatabaseConnection = {
    executeQuery: async (query) => execute(query),
    streamQuery: () => {
      throw new Error('streaming is not supported');
    },
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => only,
    releaseConnection: async () => {},
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => {},
  };
  return new Kysely<DatabaseSchema>({ dialect: { ...parts, createDriver: () => driver } });
}

async function refuseTransaction(): Promise<void> {
  throw new Error('transactions are begun with store.transaction');
}
