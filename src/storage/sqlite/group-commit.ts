import { retryWhileBusy } from './busy-retry.ts';
import type { Checkpoints } from './checkpoint.ts';
import type { SqliteDatabase } from './driver.ts';
import { translateSqliteError } from './errors.ts';
import type { FileIdentity } from './file-identity.ts';

/** A caller's transaction. Either `succeed` or `fail` reports the outcome. */
export type WriteTask = {
  run(): Promise<void>;
  succeed(): void;
  fail(error: unknown): void;
};

export type GroupCommitOptions = {
  sqlite: SqliteDatabase;
  path: string;
  file: Pick<FileIdentity, 'check'>;
  checkpoints: Pick<Checkpoints, 'commit'>;
  busy_timeout_ms: number;
};

/**
 * Runs tasks from the front of the list and commits them together, because a commit costs more than
 * most writes. Each task is all or nothing. None succeeds before all are on disk; a failed task
 * fails alone. Tasks that remain in the list have not had their turn.
 */
export async function commitGroup(parts: GroupCommitOptions, tasks: WriteTask[]): Promise<void> {
  const { sqlite } = parts;
  const done: WriteTask[] = [];
  const failAll = (failed: readonly WriteTask[], error: unknown) => {
    for (const { fail } of failed) fail(error);
  };
  try {
    await begin(parts);
  } catch (error) {
    return failAll(tasks.splice(0), error);
  }
  const begun = performance.now();
  try {
    const isShared = tasks.length > 1;
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      if (await runTask(task, { sqlite, isShared })) done.push(task);
    }
    commit(parts, { isLong: performance.now() - begun >= longMs });
  } catch (error) {
    rollback(sqlite);
    return failAll(done, error);
  }
  for (const { succeed } of done) succeed();
}

/** False if the task failed and was rolled back; throws if the whole group is lost. */
async function runTask(
  task: WriteTask,
  { sqlite, isShared }: { sqlite: SqliteDatabase; isShared: boolean },
): Promise<boolean> {
  // A single task needs no savepoint, which would make the full-text index flush early.
  if (isShared) sqlite.exec('savepoint task');
  try {
    await task.run();
  } catch (error) {
    task.fail(error);
    if (!isShared || !rollbackTask(sqlite)) throw error;
    return false;
  }
  if (isShared) sqlite.exec('release task');
  return true;
}

/**
 * False if SQLite has rolled back everything, as it does after some failures such as a full disk.
 */
function rollbackTask(sqlite: SqliteDatabase): boolean {
  try {
    sqlite.exec('rollback to task; release task');
    return true;
  } catch {
    return false;
  }
}

/** IMMEDIATE takes the lock now: a transaction that reads first could not wait for it later. */
async function begin({ sqlite, path, file, busy_timeout_ms }: GroupCommitOptions): Promise<void> {
  file.check();
  try {
    await retryWhileBusy(busy_timeout_ms, () => sqlite.exec('begin immediate'));
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

/** In such a time a transaction writes some MB: what it costs to start a thread is little then. */
const longMs = 100;

function commit(
  { sqlite, path, checkpoints }: GroupCommitOptions,
  { isLong }: { isLong: boolean },
): void {
  const run = () => sqlite.exec('commit');
  try {
    if (isLong) checkpoints.commit(run);
    else run();
  } catch (error) {
    throw translateSqliteError(error, path);
  }
}

function rollback(sqlite: SqliteDatabase): void {
  try {
    sqlite.exec('rollback');
  } catch {
    // After some failures, such as a full disk, SQLite has already rolled back.
  }
}
