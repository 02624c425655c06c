import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { isDisconnection } from './errors.ts';
import type { PipelineStatement } from './pipeline.ts';
import {
  type ConnectionSource,
  commitTransaction,
  type OpenTransaction,
  openTransaction,
  type PooledConnection,
  rollbackTransaction,
  type ScopedTransaction,
} from './transaction.ts';

/** A place in a transaction: its own part of it, which succeeds or fails. */
export type GroupedTransaction = ScopedTransaction & {
  /** Ends when all of the transaction is committed. */
  succeed(): Promise<void>;
  /** Ends when its own part is undone. */
  fail(): Promise<void>;
};

/** Has those who write to one project take turns in transactions that they share. */
export type GroupCommit = { join(project: number): Promise<GroupedTransaction> };

/**
 * Those that come together share a transaction, its lock and its commit, which cost more than what
 * most of them write. Each has its turn alone and is all or nothing, and none is told that it
 * succeeded before all are committed. Who waits too long is refused, as where another process has
 * the lock.
 */
export function createGroupCommit(connections: ConnectionSource): GroupCommit {
  const lines = new Map<number, QueuedTransaction[]>();

  const work = async (project: number, line: QueuedTransaction[]): Promise<void> => {
    // Requests that have arrived by now come along.
    await turnOfOthers();
    while (line.length > 0) await commitGroup(connections, project, line);
    lines.delete(project);
  };
  const join = (project: number) =>
    new Promise<GroupedTransaction>((begin, refuse) => {
      const waiting = queueTransaction({ begin, refuse }, connections.limits.busy_timeout_ms);
      const line = lines.get(project);
      if (line !== undefined) {
        line.push(waiting);
        return;
      }
      const first = [waiting];
      lines.set(project, first);
      void work(project, first); // each hears of its own outcome
    });
  return { join };
}

/** Below the 64 parts of a transaction up to which PostgreSQL has them at hand for all others. */
const groupSizeMax = 48;
/** Nobody begins later than this: the first waits for the last. */
const groupOpenMaxMs = 100;

type QueuedTransaction = {
  /** Ends as its part does; null where it waits no longer. */
  begin(transaction: ScopedTransaction): Promise<FinishedTransaction> | null;
  refuse(error: unknown): void;
};

/** How a part ended, and how to tell what became of it. */
type FinishedTransaction = {
  isDone: boolean;
  resolve: () => void;
  refuse: (error: unknown) => void;
};

type QueuedCallbacks = {
  begin: (part: GroupedTransaction) => void;
  refuse: (error: unknown) => void;
};

function queueTransaction(
  { begin, refuse }: QueuedCallbacks,
  busy_timeout_ms: number,
): QueuedTransaction {
  let isWaiting = true;
  const giveUp = () => {
    isWaiting = false;
    refuse(new LockTimeoutError('timed out behind other writes to this project'));
  };
  // 0 is about other processes: those of this one have their turn.
  const timer = busy_timeout_ms > 0 ? setTimeout(giveUp, busy_timeout_ms) : undefined;
  return {
    begin: ({ within }) => {
      clearTimeout(timer);
      if (!isWaiting) return null;
      return new Promise<FinishedTransaction>((end) => {
        const ending = (isDone: boolean) => () =>
          new Promise<void>((resolve, cannot) => end({ isDone, resolve, refuse: cannot }));
        begin({ within, succeed: ending(true), fail: ending(false) });
      });
    },
    refuse: (error) => {
      clearTimeout(timer);
      refuse(error);
    },
  };
}

/** As PostgreSQL has it of a lock that it does not get in time. */
class LockTimeoutError extends Error {
  readonly code = '55P03';
}

type SharedTransaction = { lent: PooledConnection; transaction: OpenTransaction };

/** Carries parts out from the front of the line; those left in it have not had their turn. */
async function commitGroup(
  connections: ConnectionSource,
  project: number,
  line: QueuedTransaction[],
): Promise<void> {
  const asked = line.splice(0, groupSizeMax);
  let shared: SharedTransaction;
  try {
    shared = await beginWithRetry(connections, project);
  } catch (error) {
    for (const { refuse } of asked) refuse(error);
    return;
  }
  line.unshift(...asked);
  const done: FinishedTransaction[] = [];
  try {
    await runGroup(shared, { line, done });
  } catch (error) {
    await rollbackTransaction(shared.lent);
    for (const { refuse } of done) refuse(error);
    return;
  }
  await (done.length === 0
    ? rollbackTransaction(shared.lent)
    : commitTransaction(shared.lent)
  ).then(
    () => {
      for (const { resolve } of done) resolve();
    },
    (error: unknown) => {
      for (const { refuse } of done) refuse(error);
    },
  );
}

/** On another connection where one was broken: nothing has been written by then. */
async function beginWithRetry(
  connections: ConnectionSource,
  project: number,
): Promise<SharedTransaction> {
  try {
    return await beginShared(connections, project);
  } catch (error) {
    if (!isDisconnection(error)) throw error;
    return beginShared(connections, project);
  }
}

async function beginShared(
  connections: ConnectionSource,
  project: number,
): Promise<SharedTransaction> {
  const lent = await connections.checkOut();
  const transaction = openTransaction(lent, connections.limits);
  try {
    await transaction.begin(project);
  } catch (error) {
    await rollbackTransaction(lent);
    throw error;
  }
  return { lent, transaction };
}

/** Throws when all is lost, and not only the part whose turn it is. */
async function runGroup(
  { lent, transaction }: SharedTransaction,
  { line, done }: { line: QueuedTransaction[]; done: FinishedTransaction[] },
): Promise<void> {
  const until = performance.now() + groupOpenMaxMs;
  let separate: PipelineStatement[] = [];
  let begun = 0;
  while (begun < groupSizeMax && performance.now() < until) {
    const running = line.shift()?.begin(transaction);
    if (running === undefined) return;
    if (running === null) continue;
    begun += 1;
    lent.session.resetFailures();
    const own = savepointStatements(begun);
    // Goes before what the part asks for; where it fails, so does that.
    for (const before of [...separate, own.set]) lent.session.query(before).catch(() => {});
    const ended = await running;
    const telling = await findFailure(lent, ended);
    if (telling === null) done.push(ended);
    else await lent.session.query(own.undo).finally(telling);
    separate = [own.release];
    // One that went on to another scope has the locks of both: nobody's wait grows by it.
    if (transaction.hasChangedScope()) return;
  }
}

/** Each has a name of its own: one that was not set must not undo what went before it. */
function savepointStatements(part: number) {
  const statement = (text: string, name: string): PipelineStatement => {
    return { text: `${text} part_${part}`, name: `mneme_${name}_${part}` };
  };
  return {
    set: statement('savepoint', 'savepoint'),
    release: statement('release savepoint', 'release'),
    undo: statement('rollback to savepoint', 'undo'),
  };
}

/**
 * How to tell of a failure, or of that of a statement whatever was made of it; else null. Ends when
 * all that was sent has, so that what undoes it does not go along with what fails.
 */
async function findFailure(
  { session }: PooledConnection,
  { isDone, resolve, refuse }: FinishedTransaction,
): Promise<(() => void) | null> {
  try {
    await session.drain();
  } catch (error) {
    return isDone ? () => refuse(error) : resolve;
  }
  if (!isDone) return resolve;
  const problem = session.failure();
  return problem === null ? null : () => refuse(problem);
}
