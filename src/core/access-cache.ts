import type { Caller } from '../contract.ts';
import type { Store } from './ports/index.ts';

type CachedRequest = { input: Readonly<Record<string, unknown>>; caller: Caller };
type Remember<R> = (request: CachedRequest, find: () => Promise<R>) => Promise<R>;

/**
 * Caches granted access until the store changes: reading the store's version costs a quarter of
 * resolving access again. Refusals are not cached.
 */
export function createAccessCache<R extends { call: object | null }>({
  version,
}: Pick<Store, 'version'>): Remember<R> {
  let since: number | null = null;
  let answers = new WeakMap<Caller, Map<string, Promise<R>>>();

  return async ({ input, caller }, find) => {
    const now = await version();
    if (now !== since) answers = new WeakMap();
    since = now;
    const calls = answers.get(caller) ?? new Map<string, Promise<R>>();
    const key = JSON.stringify([input.org_id, input.project_id]);
    const before = calls.get(key);
    if (before !== undefined) return before;
    const finding = find();
    answers.set(caller, calls.set(key, finding));
    const forget = () => calls.delete(key);
    finding.then(({ call }) => call ?? forget(), forget);
    return finding;
  };
}
