import { HttpError } from '../http/errors.ts';
import type { RestOptions } from '../http/options.ts';

const windowMs = 60_000;

/** Ended windows are removed when there are more than this. */
const windowsMax = 10_000;

type RateWindow = { ends: number; count: number };

/** Headers that tell a client how much it has left; null without a limit. */
export type RateLimitHeaders = Readonly<Record<string, string>> | null;

/**
 * Counts requests per minute and refuses those over the limit. Each process counts for itself,
 * because the limit protects the process and is not for billing.
 */
export function createRateLimit({
  rate_limit,
  now,
}: Pick<RestOptions, 'rate_limit' | 'now'>): (key: string) => RateLimitHeaders {
  if (rate_limit === 0) return () => null;
  const windows = new Map<string, RateWindow>();

  return (key) => {
    const time = now();
    if (windows.size > windowsMax) removeEndedWindows(windows, time);
    const before = windows.get(key);
    const open = before !== undefined && before.ends > time;
    const window = open ? before : { ends: time + windowMs, count: 0 };
    window.count += 1;
    windows.set(key, window);
    const headers = {
      'X-RateLimit-Limit': String(rate_limit),
      'X-RateLimit-Remaining': String(Math.max(0, rate_limit - window.count)),
      'X-RateLimit-Reset': String(Math.ceil(window.ends / 1000)),
    };
    if (window.count <= rate_limit) return headers;
    const wait = String(Math.ceil((window.ends - time) / 1000));
    throw new HttpError(429, `rate limit of ${rate_limit} requests a minute reached`, {
      ...headers,
      'Retry-After': wait,
    });
  };
}

function removeEndedWindows(windows: Map<string, RateWindow>, time: number): void {
  for (const [key, { ends }] of windows) if (ends <= time) windows.delete(key);
}
