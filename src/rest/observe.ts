import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import { versionHeader } from '../contract/binding.ts';
import type { RestEnv } from './env.ts';
import type { Metrics } from './metrics.ts';
import type { RestOptions } from './options.ts';

const idHeader = 'X-Request-ID';

/** What may be repeated in answers and logs; anything else is replaced. */
const saneId = /^[\w.:+/=@-]{1,128}$/;

/**
 * Gives each request an id and says how it went: to the log without its path, whose ids are the
 * caller's own, and to the metrics.
 */
export function observe({ request_log, log, version }: RestOptions, metrics: Metrics) {
  return createMiddleware<RestEnv>(async (c, next) => {
    const started = performance.now();
    const given = c.req.raw.headers.get(idHeader);
    const request_id = given !== null && saneId.test(given) ? given : randomUUID();
    c.set('request_id', request_id);
    await next();
    c.res.headers.set(idHeader, request_id);
    c.res.headers.set(versionHeader, version);
    const { status } = c.res;
    const ms = performance.now() - started;
    const operation = c.get('operation') ?? 'none';
    metrics.record({ operation, status, seconds: ms / 1000 });
    if (!request_log) return;
    const { method } = c.req;
    const duration_ms = Math.round(ms * 100) / 100;
    log('info', 'request', { request_id, method, operation, status, duration_ms });
  });
}
