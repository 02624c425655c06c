/**
 * How long a key or session is cached. A revoked key is refused after at most this time, which must
 * stay below the documented five seconds.
 */
const cacheTtlMs = 3000;

/** Maximum number of cached entries. */
const cacheMax = 10_000;

/** Looks up each text at most once in a few seconds; what is not valid is looked up each time. */
export function createCredentialCache<T>(
  look: (text: string) => Promise<T | null>,
  now: () => number,
) {
  const entries = new Map<string, { result: Promise<T | null>; until: number }>();

  return {
    find(text: string): Promise<T | null> {
      const last = entries.get(text);
      if (last !== undefined && last.until > now()) return last.result;
      entries.delete(text);
      // Removes the oldest: a map keeps the order of insertion.
      if (entries.size >= cacheMax) entries.delete(entries.keys().next().value ?? '');
      const entry = { result: look(text), until: now() + cacheTtlMs };
      entries.set(text, entry);
      const forget = () => {
        if (entries.get(text) === entry) entries.delete(text);
      };
      void entry.result.then((result) => result === null && forget(), forget); // the caller gets it
      return entry.result;
    },

    forget(text: string): void {
      entries.delete(text);
    },
  };
}
