import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely';
import type { Schema } from '../schema.ts';
import type { Database } from './dialect.ts';

type Execute = <R>(query: CompiledQuery) => QueryResult<R> | Promise<QueryResult<R>>;

/** Kysely over one connection, which others open, close and begin transactions on. */
export function overOneConnection(
  execute: Execute,
  parts: Omit<Dialect, 'createDriver'>,
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
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
  return new Kysely<Schema>({ dialect: { ...parts, createDriver: () => driver } });
}

async function refuse(): Promise<void> {
  throw new Error('transactions are begun with store.transaction');
}
