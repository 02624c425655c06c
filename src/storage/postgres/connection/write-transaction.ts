import { createGroupCommit, type GroupCommit, type GroupedTransaction } from './group-commit.ts';
import type { RowScope } from './row-security.ts';
import {
  type ConnectionSource,
  commitTransaction,
  openTransaction,
  rollbackTransaction,
  type ScopedTransaction,
} from './transaction.ts';

/** All or nothing. */
export type RunWriteTransaction = <T>(
  run: (transaction: ScopedTransaction) => Promise<T>,
) => Promise<T>;

/**
 * The first scope of a transaction decides: if it is a project, the transaction is shared with
 * other writers to that project.
 */
export function createWriteTransactions(connections: ConnectionSource): RunWriteTransaction {
  const turns = createGroupCommit(connections);

  return async (run) => {
    const running = new Set<Promise<unknown>>();
    let part: Promise<GroupedTransaction> | null = null;
    let isOver = false;
    const within: ScopedTransaction['within'] = async (scope, work) => {
      if (isOver) throw new Error('these tables belong to a transaction that ended');
      part ??= beginWrite(connections, turns, scope);
      const working = part.then((its) => its.within(scope, work));
      running.add(working);
      return working;
    };
    const end = async () => {
      isOver = true;
      await Promise.allSettled(running); // if one of several failed, others may still be running
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

async function beginWrite(
  connections: ConnectionSource,
  turns: GroupCommit,
  scope: RowScope,
): Promise<GroupedTransaction> {
  if (typeof scope === 'number') return turns.join(scope);
  const lent = await connections.checkOut();
  lent.session.resetFailures();
  const { within } = openTransaction(lent, connections.limits);
  return {
    within,
    succeed: async () => {
      try {
        await lent.session.drain();
        // A failure in this process, unlike one of the server, would not prevent the commit.
        const failure = lent.session.failure();
        if (failure !== null) throw failure;
      } catch (error) {
        await rollbackTransaction(lent);
        throw error;
      }
      await commitTransaction(lent);
    },
    fail: () => rollbackTransaction(lent),
  };
}
