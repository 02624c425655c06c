/** How often and how soon a call is tried again. */
export type RetryPolicy = {
  tries_max: number;
  /** The longest first pause; each further one may be twice as long. */
  pause_ms: number;
};

const retryDelayMaxMs = 10_000;

/**
 * The pause before the next try. Full jitter: anything from none to the longest, so that callers
 * that failed together do not come back together. Where the remote says how long, at least that.
 */
export function retryDelay(
  tries: number,
  { pause_ms }: RetryPolicy,
  { asked_ms, random }: { asked_ms: number | null; random: () => number },
): number {
  const longest = Math.min(retryDelayMaxMs, pause_ms * 2 ** (tries - 1));
  return (asked_ms ?? 0) + random() * longest;
}

/** `Retry-After` in seconds or as a date, in milliseconds from now; null where it says nothing. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** Statuses that say: not now. What they leave open is whether anything was done. */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429, 500, 502, 503, 504].includes(status);
}

/** True when the answer itself says that nothing was done: a limit, or a server that is busy. */
export function isSafeToRetry(status: number, asked_ms: number | null): boolean {
  return status === 429 || status === 425 || (status === 503 && asked_ms !== null);
}
