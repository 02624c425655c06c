/**
 * How long what authenticates is cached. A revoked key is refused after at most this time, which
 * must stay below the documented five seconds.
 */
const cacheTtlMs = 3000;

/** Maximum number of cached entries. */
const cacheMax = 10_000;

/** Looks up each text at most once in a few seconds; what is not valid is looked up each time. */
export function createFoundCache<T>(look: (text: string) => Promise<T | null>, now: () => number) {
  const entries = new Map<string, { found: Promise<T | null>; until: number }>();

  return {
    find(text: string): Promise<T | null> {
      const last = entries.get(text);
      if (last !== undefined && last.until > now()) return last.found;
      entries.delete(text);
      // Removes the oldest: a map keeps the order of insertion.
      if (entries.size >= cacheMax) entries.delete(entries.keys().next().value ?? '');
      const entry = { found: look(text), until: now() + cacheTtlMs };
      entries.set(text, entry);
      const forget = () => {
        if (entries.get(text) === entry) entries.delete(text);
      };
      void entry.found.then((found) => found === null && forget(), forget); // the caller gets it
      return entry.found;
    },

    forget(text: string): void {
      entries.delete(text);
    },
  };
}
