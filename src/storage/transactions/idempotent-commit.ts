import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import type { IdempotentRequest, Store, Tables } from '../../core/ports/index.ts';

/** How often, and after how long each time, a database that went with a commit is asked: 5 s. */
const commitChecksMax = 20;
const commitCheckIntervalMs = 250;

type PendingCommit = { request: IdempotentRequest; isStored: boolean };

/**
 * Stores with the first transaction of a request that it was carried out. Where the commit fails,
 * `wasCommitted` looks whether it did: its connection may have gone after it.
 */
export function createIdempotentCommit(
  wasCommitted: (request: IdempotentRequest) => Promise<boolean>,
) {
  const current = new AsyncLocalStorage<PendingCommit>();

  const carryOut: Store['runIdempotent'] = (request, run) =>
    current.run({ request, isStored: false }, run);

  const carrying = async <T>(
    transaction: Store['transaction'],
    run: (tables: Tables) => Promise<T>,
  ): Promise<T> => {
    const state = current.getStore();
    if (state === undefined || state.isStored) return transaction(run);
    const { reserved, placeholder } = state.request;
    const ended: T[] = []; // what to answer, from when only the commit is missing
    try {
      const result = await transaction(async (tables) => {
        ended.length = 0;
        const answer = await run(tables);
        await tables.idempotencyKeys.complete(reserved.id, placeholder);
        ended.push(answer);
        return answer;
      });
      state.isStored = true;
      return result;
    } catch (error) {
      if (ended.length === 0 || !(await checkUntilAvailable(() => wasCommitted(state.request))))
        throw error;
      state.isStored = true;
      return ended[0] as T; // it holds one
    }
  };

  return { carryOut, carrying };
}

/** False where the database stays away: whoever asks with the same key later is told what holds. */
async function checkUntilAvailable(ask: () => Promise<boolean>): Promise<boolean> {
  for (let asked = 1; ; asked += 1) {
    try {
      return await ask();
    } catch (error) {
      const isAway = error instanceof ApiError && error.code === 'unavailable';
      if (!isAway || asked === commitChecksMax) return false;
      await sleep(commitCheckIntervalMs);
    }
  }
}
