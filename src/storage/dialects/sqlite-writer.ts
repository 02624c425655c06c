import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Session } from './dialect.ts';
import { createSession, type SqliteTransaction } from './sqlite-connection.ts';
import { createQueue } from './sqlite-lock.ts';
import { commitTogether, type Parts, type Task } from './sqlite-together.ts';

export type Writer = {
  /** Statements of the transaction that is on; refused outside of one. */
  session: Session;
  /** Runs alone in this process and on this file, all or nothing. */
  write<T>(run: (session: Session) => Promise<T>): Promise<T>;
  /** Calls `last` when all that was begun has ended, and before anything that comes later. */
  end(last: () => void): Promise<void>;
};

/** Transactions that wait at the same time are carried out one by one and committed together. */
export function createWriter(parts: Parts): Writer {
  const enqueue = createQueue();
  const perform = createPerformer(parts);
  let gathering: Task[] | null = null;

  const gather = (task: Task): void => {
    if (gathering !== null && gathering.length < tasksMax) {
      gathering.push(task);
      return;
    }
    const tasks = [task];
    gathering = tasks;
    // Not awaited: each task tells its own outcome.
    void enqueue(async () => {
      // Requests that have arrived by now come along.
      await turnOfOthers();
      if (gathering === tasks) gathering = null;
      while (tasks.length > 0) await commitTogether(parts, tasks);
    });
  };

  return {
    session: perform.session,
    write: (run) =>
      new Promise((resolve, reject) => {
        perform.checkNotInside();
        gather(createTask(() => perform.run(run), { resolve, reject }));
      }),
    end: (last) => {
      gathering = null;
      return enqueue(async () => last());
    },
  };
}

/** How many may wait for one commit: the first of them waits for the last. */
const tasksMax = 64;

type Outcome<T> = { resolve: (value: T) => void; reject: (error: unknown) => void };

function createTask<T>(run: () => Promise<T>, { resolve, reject }: Outcome<T>): Task {
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

/** Lets work run on the connection, and knows which work calls. */
function createPerformer(parts: Parts) {
  const within = new AsyncLocalStorage<symbol>();
  const transaction: SqliteTransaction = { id: null };
  const session = createSession({ ...parts, within: { transaction } });

  return {
    session,
    checkNotInside: () => {
      if (transaction.id === null || within.getStore() !== transaction.id) return;
      throw new Error('a transaction must not begin inside another: it would wait for itself');
    },
    run: async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
      const id = Symbol('transaction');
      transaction.id = id;
      try {
        return await within.run(id, () => work(session));
      } finally {
        transaction.id = null;
        // While it is on, every promise of the process costs more (Node before 24).
        within.disable();
      }
    },
  };
}
