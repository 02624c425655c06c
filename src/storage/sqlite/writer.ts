import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { createTurns } from '../../turns.ts';
import type { DbSession } from '../sql/dialect.ts';
import { createSerialQueue } from './busy-retry.ts';
import { createSqliteSession, type SqliteTransaction } from './connection.ts';
import { commitGroup, type GroupCommitOptions, type WriteTask } from './group-commit.ts';

export type SqliteWriter = {
  /** Statements of the running transaction; refused outside of one. */
  session: DbSession;
  /** Runs a transaction, alone in this process and on this file, all or nothing. */
  write<T>(run: (session: DbSession) => Promise<T>): Promise<T>;
  /** Calls `last` after everything begun has ended, and before anything later. */
  close(last: () => Promise<void>): Promise<void>;
};

/** Transactions that wait at the same time run one by one and are committed together. */
export function createSqliteWriter(parts: GroupCommitOptions): SqliteWriter {
  const enqueue = createSerialQueue();
  const perform = createTaskRunner(parts);
  let gathering: WriteTask[] | null = null;

  const gather = (task: WriteTask): void => {
    if (gathering !== null && gathering.length < groupSizeMax) {
      gathering.push(task);
      return;
    }
    const tasks = [task];
    gathering = tasks;
    // Not awaited: each task reports its own outcome.
    void enqueue(async () => {
      // Requests that have already arrived join.
      await turnOfOthers();
      perform.begin();
      if (gathering === tasks) gathering = null;
      while (tasks.length > 0) await commitGroup(parts, tasks);
    });
  };

  return {
    session: perform.session,
    write: (run) =>
      new Promise((resolve, reject) => {
        perform.checkNotInside();
        gather(createTask(() => perform.run(run), { resolve, reject }));
      }),
    close: (last) => {
      gathering = null;
      return enqueue(last);
    },
  };
}

/** How many may share a commit: the first of them waits for the last. */
const groupSizeMax = 64;

type TaskCallbacks<T> = { resolve: (value: T) => void; reject: (error: unknown) => void };

function createTask<T>(run: () => Promise<T>, { resolve, reject }: TaskCallbacks<T>): WriteTask {
  let succeed = () => {};
  return {
    run: async () => {
      const value = await run();
      succeed = () => resolve(value);
    },
    succeed: () => succeed(),
    fail: reject,
  };
}

/** Runs work on the connection, and identifies which work calls. */
function createTaskRunner(parts: GroupCommitOptions) {
  const within = new AsyncLocalStorage<symbol>();
  const transaction: SqliteTransaction = { id: null, rest: createTurns() };
  const session = createSqliteSession({ ...parts, within: { transaction } });

  return {
    session,
    /** To be called right after a turn of others. */
    begin: () => {
      transaction.rest = createTurns();
    },
    checkNotInside: () => {
      if (transaction.id === null || within.getStore() !== transaction.id) return;
      throw new Error('a transaction must not begin inside another: it would wait for itself');
    },
    run: async <T>(work: (session: DbSession) => Promise<T>): Promise<T> => {
      const id = Symbol('transaction');
      transaction.id = id;
      try {
        return await within.run(id, () => work(session));
      } finally {
        transaction.id = null;
        // While enabled, it makes every promise of the process slower (Node before 24).
        within.disable();
      }
    },
  };
}
