import type { Scope } from './postgres-scope.ts';
import { createTurns, type Part, type Turns } from './postgres-together.ts';
import {
  type Connections,
  commit,
  openTransaction,
  rollBack,
  type Transaction,
} from './postgres-transaction.ts';

/** All or nothing. */
export type Write = <T>(run: (transaction: Transaction) => Promise<T>) => Promise<T>;

/**
 * The first scope of a transaction decides whether it has one of its own: one that begins in a
 * project shares that of those who write there, too.
 */
export function createWrite(connections: Connections): Write {
  const turns = createTurns(connections);

  return async (run) => {
    const running = new Set<Promise<unknown>>();
    let part: Promise<Part> | null = null;
    let isOver = false;
    const within: Transaction['within'] = async (scope, work) => {
      if (isOver) throw new Error('these tables belong to a transaction that ended');
      part ??= begin(connections, turns, scope);
      const working = part.then((its) => its.within(scope, work));
      running.add(working);
      return working;
    };
    const end = async () => {
      isOver = true;
      await Promise.allSettled(running); // where one of several failed, others may still be at it
      return part;
    };
    let result: Awaited<ReturnType<typeof run>>;
    try {
      result = await run({ within });
    } catch (error) {
      await (await end().catch(() => null))?.fail();
      throw error;
    }
    await (await end())?.succeed();
    return result;
  };
}

async function begin(connections: Connections, turns: Turns, scope: Scope): Promise<Part> {
  if (typeof scope === 'number') return turns.take(scope);
  const lent = await connections.lend();
  lent.session.begin();
  const { within } = openTransaction(lent, connections.limits);
  return {
    within,
    succeed: async () => {
      try {
        await lent.session.settled();
        // What was refused here, and not by the server, would be committed without.
        const failure = lent.session.failure();
        if (failure !== null) throw failure;
      } catch (error) {
        await rollBack(lent);
        throw error;
      }
      await commit(lent);
    },
    fail: () => rollBack(lent),
  };
}
