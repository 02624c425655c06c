import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../../contract/errors.ts';
import type { IdempotentRequest } from '../../contract/http-binding.ts';
import type { Store, Tables } from '../../core/ports/index.ts';

/** How often, and with what pause, to ask a database that was lost during a commit: 5 s. */
const commitChecksMax = 20;
const commitCheckIntervalMs = 250;

type PendingCommit = { request: IdempotentRequest; isStored: boolean };

/**
 * Records in the first transaction of a request that it was carried out. If the commit fails,
 * `wasCommitted` checks whether it succeeded before the connection was lost.
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
    const ended: T[] = []; // the results to return once the commit is known
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
      return ended[0] as T; // there is one
    }
  };

  return { carryOut, carrying };
}

/** False if the database stays unreachable; a later request with the same key gets the outcome. */
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
