import { Hono } from 'hono';
import { cors } from 'hono/cors';
import { versionHeader } from '../contract/binding.ts';
import { createAdmission } from './admit.ts';
import { toResponse } from './answer.ts';
import type { RestEnv } from './env.ts';
import { failureOf } from './failure.ts';
import { createMetrics } from './metrics.ts';
import { serveMount } from './mount.ts';
import { observe } from './observe.ts';
import { createOperations } from './operations.ts';
import type { RestOptions } from './options.ts';
import { pages } from './pages.ts';

export type { RestOptions, StoredAnswer } from './options.ts';

/** The HTTP face: every route of the contract, and the pages that operators and readers need. */
export function createRestApp(options: RestOptions): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const metrics = createMetrics(options.metrics);
  const { log } = options;
  app.onError((error, c) => toResponse(failureOf(error, { request_id: c.get('request_id'), log })));
  app.use(observe(options, metrics));
  if (options.cors_origins.length > 0) app.use(allowOrigins(options));
  app.route('/', pages(options, metrics));
  const admit = createAdmission(options);
  for (const mount of options.mounts ?? []) {
    const serve = serveMount(mount, admit, options);
    app.all(mount.path, serve).all(`${mount.path}/`, serve);
  }
  app.all('*', createOperations(admit, options));
  return app;
}

/** Keys travel in headers, never in cookies: a page has no more than the key it was given. */
function allowOrigins({ cors_origins }: RestOptions) {
  return cors({
    origin: cors_origins.includes('*') ? '*' : [...cors_origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [
      ...[versionHeader, 'X-Request-ID', 'Link', 'Retry-After', 'Idempotency-Replayed'],
      ...['Mcp-Session-Id', 'WWW-Authenticate'],
      ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
    ],
    maxAge: 600,
  });
}
