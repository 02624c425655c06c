import type { SqliteDatabase } from './driver.ts';
import { translateSqliteError } from './errors.ts';

/**
 * Reads of one tick share a transaction and see the same state of the file. This halves their cost,
 * most of which is system calls for locks.
 */
export type ReadSnapshot = {
  /** Begins a snapshot unless there is one; returns its number. */
  begin(): number;
  /** Later reads see what has been committed by then. */
  end(): void;
};

/**
 * A snapshot lives for one tick. It is closed before new I/O is handled, so no request reads a
 * state older than itself.
 */
export function createReadSnapshot(sqlite: SqliteDatabase, path: string): ReadSnapshot {
  const beginning = sqlite.prepare('begin');
  const commit = sqlite.prepare('commit');
  let isOn = false;
  let number = 0;

  const begin = () => {
    try {
      beginning.run();
    } catch (error) {
      throw translateSqliteError(error, path);
    }
  };
  const end = () => {
    if (!isOn) return;
    isOn = false;
    try {
      commit.run();
    } catch {
      // SQLite ends a transaction after some failures, which were reported to the reader.
    }
  };
  return {
    begin: () => {
      if (isOn) return number;
      begin();
      isOn = true;
      number += 1;
      process.nextTick(end);
      return number;
    },
    end,
  };
}
