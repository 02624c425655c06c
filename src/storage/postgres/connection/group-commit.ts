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

/** One part of a shared transaction, which succeeds or fails by itself. */
export type GroupedTransaction = ScopedTransaction & {
  /** Resolves when the whole transaction is committed. */
  succeed(): Promise<void>;
  /** Resolves when this part is rolled back. */
  fail(): Promise<void>;
};

/** Lets writers to one project take turns in shared transactions. */
export type GroupCommit = { join(project: number): Promise<GroupedTransaction> };

/**
 * Concurrent writes share a transaction with its lock and its commit, which cost more than most
 * writes. They run one after the other, each is all or nothing, and none succeeds before the
 * commit. A write that waits too long is refused, as if another process held the lock.
 */
export function createGroupCommit(connections: ConnectionSource): GroupCommit {
  const lines = new Map<number, QueuedTransaction[]>();

  const work = async (project: number, line: QueuedTransaction[]): Promise<void> => {
    // Requests that have already arrived join.
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
      void work(project, first); // each caller gets its own outcome
    });
  return { join };
}

/** PostgreSQL keeps up to 64 subtransactions in shared memory; more slow everybody down. */
const groupSizeMax = 48;
/** No part begins later than this, because the first waits for the last. */
const groupOpenMaxMs = 100;

type QueuedTransaction = {
  /** Resolves when the part ends; null if it no longer waits. */
  begin(transaction: ScopedTransaction): Promise<FinishedTransaction> | null;
  refuse(error: unknown): void;
};

/** How a part ended, and how to report its outcome. */
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
  // 0 concerns other processes only: parts of this one always get their turn.
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

/** As PostgreSQL reports a lock that it did not get in time. */
class LockTimeoutError extends Error {
  readonly code = '55P03';
}

type SharedTransaction = { lent: PooledConnection; transaction: OpenTransaction };

/** Runs parts from the front of the queue; those left in it have not had their turn. */
async function commitGroup(
  connections: ConnectionSource,
  project: number,
  line: QueuedTransaction[],
): Promise<void> {
  const group = line.splice(0, groupSizeMax);
  let shared: SharedTransaction;
  try {
    shared = await beginWithRetry(connections, project);
  } catch (error) {
    for (const { refuse } of group) refuse(error);
    return;
  }
  line.unshift(...group);
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

/** Uses another connection if one was broken: nothing has been written yet. */
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

/** Throws if the whole transaction is lost, not only the current part. */
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
    const statements = savepointStatements(begun);
    // Sent before the part's statements; if it fails, so do they.
    for (const before of [...separate, statements.set]) lent.session.query(before).catch(() => {});
    const ended = await running;
    const telling = await findFailure(lent, ended);
    if (telling === null) done.push(ended);
    else await lent.session.query(statements.undo).finally(telling);
    separate = [statements.release];
    // A part that changed its scope holds the locks of both, and nobody waits longer for that.
    if (transaction.hasChangedScope()) return;
  }
}

/** Each name is unique: a savepoint that was not set must not undo what came before it. */
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
 * The failure to report, even if the caller handled a failed statement; otherwise null. Resolves
 * when everything sent has ended, so that the rollback is not sent along with what fails.
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
