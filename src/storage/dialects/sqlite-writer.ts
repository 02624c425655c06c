import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError } from '../../contract/errors.ts';
import type { Database } from './dialect.ts';
import { createDatabase } from './sqlite-connection.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import { translateError } from './sqlite-errors.ts';
import { createQueue, patiently } from './sqlite-lock.ts';

export type Writer = {
  /** Runs alone in this process and on this file, all or nothing. */
  write<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** Waits for what is running; refuses what comes later. */
  close(): Promise<void>;
};

type Parts = { sqlite: SqliteDatabase; path: string; busy_timeout_ms: number };

export function createWriter(parts: Parts): Writer {
  const { sqlite, path } = parts;
  const state = { inTransaction: false, closed: false };
  const within = new AsyncLocalStorage<{ open: boolean }>();
  const enqueue = createQueue();
  const db = createDatabase({
    sqlite,
    path,
    guard: () => {
      if (!state.inTransaction) throw new Error('these tables belong to a transaction that ended');
    },
  });

  async function runAlone<T>(run: (db: Database) => Promise<T>): Promise<T> {
    if (state.closed) throw new ApiError('unavailable', `${path} was closed: stopping`);
    await begin(parts);
    const call = { open: true };
    state.inTransaction = true;
    try {
      const result = await within.run(call, () => run(db));
      commit(parts);
      return result;
    } catch (error) {
      rollback(sqlite);
      throw error;
    } finally {
      state.inTransaction = false;
      call.open = false;
    }
  }

  return {
    write: async (run) => {
      // It would wait for itself forever.
      if (within.getStore()?.open) throw new Error('a transaction must not begin inside another');
      return enqueue(() => runAlone(run));
    },
    close: () =>
      enqueue(async () => {
        state.closed = true;
      }),
  };
}

/** IMMEDIATE takes the lock now: a transaction that read first could not wait for it later. */
async function begin({ sqlite, path, busy_timeout_ms }: Parts): Promise<void> {
  try {
    await patiently(busy_timeout_ms, () => sqlite.exec('begin immediate'));
  } catch (error) {
    throw translateError(error, path);
  }
}

function commit({ sqlite, path }: Parts): void {
  try {
    sqlite.exec('commit');
  } catch (error) {
    throw translateError(error, path);
  }
}

function rollback(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('rollback');
  } catch {
    // SQLite itself has rolled back after some failures, such as a full disk.
  }
}
