import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { versionHeader } from '../contract/http-binding.ts';
import { createAdmission } from './admit.ts';
import { toResponse } from './answer.ts';
import { warningHeader } from './dialect.ts';
import type { RestEnv } from './env.ts';
import { failureOf } from './failure.ts';
import { createMetrics } from './metrics.ts';
import { serveMount } from './mount.ts';
import { createObserve, type Observe } from './observe.ts';
import { createOperations } from './operations.ts';
import type { RestOptions } from './options.ts';
import { pages } from './pages.ts';
import { protectionPages } from './protection.ts';
import { createRespond, observed } from './respond.ts';
import { createTogether } from './together.ts';

export type { RestOptions, StoredAnswer } from './options.ts';

/** The HTTP face: every route of the contract, and the pages that operators and readers need. */
export function createRestApp(options: RestOptions): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const metrics = createMetrics(options.metrics);
  const { log } = options;
  const observe = createObserve(options, metrics);
  const together = createTogether();
  const respond = createRespond({ observe, together, log });
  app.onError((error, c) => toResponse(failureOf(error, { request_id: c.get('request_id'), log })));
  if (options.cors_origins.length > 0) app.use(allowOrigins(options, observe));
  const mounts = options.mounts ?? [];
  const own = mounts.flatMap((mount) => protectionPages(mount, options));
  for (const { path, answering } of [...pages(options, metrics), ...own]) {
    app.get(path, respond(answering));
  }
  const admitBy = createAdmission(options);
  const admitKeys = admitBy(options.authenticate);
  for (const mount of mounts) {
    const { protection } = mount;
    const admit = protection === undefined ? admitKeys : admitBy(protection.authenticate);
    const serve = observed({ observe, together }, serveMount(mount, admit, options));
    app.all(mount.path, serve).all(`${mount.path}/`, serve);
  }
  app.all('*', respond(createOperations(admitKeys, options)));
  return app;
}

/** Keys travel in headers, never in cookies: a page has no more than the key it was given. */
function allowOrigins({ cors_origins }: RestOptions, observe: Observe): MiddlewareHandler<RestEnv> {
  const allow = cors({
    origin: cors_origins.includes('*') ? '*' : [...cors_origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [
      ...[versionHeader, 'X-Request-ID', 'Link', 'Retry-After', 'Idempotency-Replayed'],
      ...['Mcp-Session-Id', 'WWW-Authenticate', warningHeader],
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    ],
    maxAge: 600,
  });
  return async (c, next) => {
    if (c.req.method !== 'OPTIONS') return allow(c, next);
    // A browser asks whether it may ask: the answer is made here, nothing behind is reached.
    const { headers, end } = observe(c);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const answer = await allow(c, next);
    end(answer?.status ?? c.res.status);
    return answer;
  };
}
