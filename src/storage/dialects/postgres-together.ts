import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { isDisconnection } from './postgres-errors.ts';
import type { Statement } from './postgres-pipe.ts';
import {
  type Connections,
  commit,
  type Lent,
  type Opened,
  openTransaction,
  rollBack,
  type Transaction,
} from './postgres-transaction.ts';

/** A place in a transaction: its own part of it, which succeeds or fails. */
export type Part = Transaction & {
  /** Ends when all of the transaction is committed. */
  succeed(): Promise<void>;
  /** Ends when its own part is undone. */
  fail(): Promise<void>;
};

/** Has those who write to one project take turns in transactions that they share. */
export type Turns = { take(project: number): Promise<Part> };

/**
 * Those that come together share a transaction, its lock and its commit, which cost more than what
 * most of them write. Each has its turn alone and is all or nothing, and none is told that it
 * succeeded before all are committed. Who waits too long is refused, as where another process has
 * the lock.
 */
export function createTurns(connections: Connections): Turns {
  const lines = new Map<number, Waiting[]>();

  const work = async (project: number, line: Waiting[]): Promise<void> => {
    // Requests that have arrived by now come along.
    await turnOfOthers();
    while (line.length > 0) await commitTogether(connections, project, line);
    lines.delete(project);
  };
  const take = (project: number) =>
    new Promise<Part>((begin, refuse) => {
      const waiting = wait({ begin, refuse }, connections.limits.busy_timeout_ms);
      const line = lines.get(project);
      if (line !== undefined) {
        line.push(waiting);
        return;
      }
      const first = [waiting];
      lines.set(project, first);
      void work(project, first); // each hears of its own outcome
    });
  return { take };
}

/** Below the 64 parts of a transaction up to which PostgreSQL has them at hand for all others. */
const partsMax = 48;
/** Nobody begins later than this: the first waits for the last. */
const sharedMaxMs = 100;

type Waiting = {
  /** Ends as its part does; null where it waits no longer. */
  begin(transaction: Transaction): Promise<Ended> | null;
  refuse(error: unknown): void;
};

/** How a part ended, and how to tell what became of it. */
type Ended = { isDone: boolean; tell: () => void; refuse: (error: unknown) => void };

type Outcome = { begin: (part: Part) => void; refuse: (error: unknown) => void };

function wait({ begin, refuse }: Outcome, busy_timeout_ms: number): Waiting {
  let isWaiting = true;
  const giveUp = () => {
    isWaiting = false;
    refuse(new Busy('other writes of this project took too long'));
  };
  // 0 is about other processes: those of this one have their turn.
  const timer = busy_timeout_ms > 0 ? setTimeout(giveUp, busy_timeout_ms) : undefined;
  return {
    begin: ({ within }) => {
      clearTimeout(timer);
      if (!isWaiting) return null;
      return new Promise<Ended>((end) => {
        const ending = (isDone: boolean) => () =>
          new Promise<void>((tell, cannot) => end({ isDone, tell, refuse: cannot }));
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
class Busy extends Error {
  readonly code = '55P03';
}

type Shared = { lent: Lent; transaction: Opened };

/** Carries parts out from the front of the line; those left in it have not had their turn. */
async function commitTogether(
  connections: Connections,
  project: number,
  line: Waiting[],
): Promise<void> {
  const asked = line.splice(0, partsMax);
  let shared: Shared;
  try {
    shared = await beginAgain(connections, project);
  } catch (error) {
    for (const { refuse } of asked) refuse(error);
    return;
  }
  line.unshift(...asked);
  const done: Ended[] = [];
  try {
    await carryOut(shared, { line, done });
  } catch (error) {
    await rollBack(shared.lent);
    for (const { refuse } of done) refuse(error);
    return;
  }
  await (done.length === 0 ? rollBack(shared.lent) : commit(shared.lent)).then(
    () => {
      for (const { tell } of done) tell();
    },
    (error: unknown) => {
      for (const { refuse } of done) refuse(error);
    },
  );
}

/** On another connection where one was broken: nothing has been written by then. */
async function beginAgain(connections: Connections, project: number): Promise<Shared> {
  try {
    return await begin(connections, project);
  } catch (error) {
    if (!isDisconnection(error)) throw error;
    return begin(connections, project);
  }
}

async function begin(connections: Connections, project: number): Promise<Shared> {
  const lent = await connections.lend();
  const transaction = openTransaction(lent, connections.limits);
  try {
    await transaction.begin(project);
  } catch (error) {
    await rollBack(lent);
    throw error;
  }
  return { lent, transaction };
}

/** Throws when all is lost, and not only the part whose turn it is. */
async function carryOut(
  { lent, transaction }: Shared,
  { line, done }: { line: Waiting[]; done: Ended[] },
): Promise<void> {
  const until = performance.now() + sharedMaxMs;
  let separate: Statement[] = [];
  let begun = 0;
  while (begun < partsMax && performance.now() < until) {
    const running = line.shift()?.begin(transaction);
    if (running === undefined) return;
    if (running === null) continue;
    begun += 1;
    lent.session.begin();
    const own = savepointOf(begun);
    // Goes before what the part asks for; where it fails, so does that.
    for (const before of [...separate, own.set]) lent.session.ask(before).catch(() => {});
    const ended = await running;
    const telling = await failureOf(lent, ended);
    if (telling === null) done.push(ended);
    else await lent.session.ask(own.undo).finally(telling);
    separate = [own.release];
    // One that went on to another scope has the locks of both: nobody's wait grows by it.
    if (transaction.hasMoved()) return;
  }
}

/** Each has a name of its own: one that was not set must not undo what went before it. */
function savepointOf(part: number) {
  const statement = (text: string, name: string): Statement => {
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
async function failureOf(
  { session }: Lent,
  { isDone, tell, refuse }: Ended,
): Promise<(() => void) | null> {
  try {
    await session.settled();
  } catch (error) {
    return isDone ? () => refuse(error) : tell;
  }
  if (!isDone) return tell;
  const problem = session.failure();
  return problem === null ? null : () => refuse(problem);
}
