import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from './dialect.ts';
import { createDatabase } from './sqlite-connection.ts';
import type { SqliteDatabase } from './sqlite-driver.ts';
import { translateError } from './sqlite-errors.ts';
import { createQueue, patiently } from './sqlite-lock.ts';

export type Writer = {
  /** Runs alone in this process and on this file, all or nothing. */
  write<T>(run: (db: Database) => Promise<T>): Promise<T>;
  /** Calls `last` when all that was begun has ended, and before anything that comes later. */
  end(last: () => void): Promise<void>;
};

type Parts = { sqlite: SqliteDatabase; path: string; busy_timeout_ms: number };

export function createWriter(parts: Parts): Writer {
  const { sqlite } = parts;
  const enqueue = createQueue();
  const within = new AsyncLocalStorage<symbol>();
  let running: symbol | null = null;
  const guard = () => {
    if (running === null) throw new Error('these tables belong to a transaction that ended');
  };
  const db = createDatabase({ ...parts, guard });

  async function runAlone<T>(run: (db: Database) => Promise<T>): Promise<T> {
    await begin(parts);
    const id = Symbol('transaction');
    running = id;
    try {
      const result = await within.run(id, () => run(db));
      commit(parts);
      return result;
    } catch (error) {
      rollback(sqlite);
      throw error;
    } finally {
      running = null;
    }
  }

  return {
    write: async (run) => {
      if (running !== null && within.getStore() === running) {
        throw new Error('a transaction must not begin inside another: it would wait for itself');
      }
      return enqueue(() => runAlone(run));
    },
    end: (last) => enqueue(async () => last()),
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
