import type { SqliteDatabase } from './driver.ts';
import { translateSqliteError } from './errors.ts';

/**
 * Reads of one moment see the same state of the file: they share a transaction, which costs half of
 * what one for each read does, most of it calls of the system for locks.
 */
export type ReadSnapshot = {
  /** Begins one unless one is on; answers its number. */
  begin(): number;
  /** What is read next sees what has been committed by now. */
  end(): void;
};

/**
 * A moment ends before the event loop goes on to whatever arrives next, so that no request is
 * answered from a state that is older than the request: nothing but promises that are settled
 * already comes before a tick.
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
      // SQLite itself ends a transaction after some failures, which who read has been told.
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
