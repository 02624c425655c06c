import { Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { versionHeader } from '../contract/http-binding.ts';
import { createAdmission } from './auth/admission.ts';
import { createLoginLinks } from './auth/login-links.ts';
import { createBrowserSessions } from './auth/sessions.ts';
import { createTickCoalescer } from './http/coalesce-tick.ts';
import { errorResponse } from './http/errors.ts';
import type { RestEnv } from './http/hono-env.ts';
import { createMetrics } from './http/metrics.ts';
import { createRequestObserver, type ObserveRequest } from './http/observe.ts';
import type { RestOptions } from './http/options.ts';
import { createResponder, observeResponse } from './http/respond.ts';
import { toResponse } from './http/response.ts';
import { createMountHandler } from './mounts/mount.ts';
import { resourceMetadataRoutes } from './mounts/protected-resource.ts';
import { warningHeader } from './operations/dialect.ts';
import { createOperationHandler } from './operations/operation-handler.ts';
import { dashboardRoutes } from './pages/dashboard.ts';
import { pageRoutes } from './pages/page-routes.ts';

export type { RestOptions } from './http/options.ts';

/** Creates the HTTP face: every route of the contract, and the pages for operators and readers. */
export function createRestApp(options: RestOptions): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const metrics = createMetrics(options.metrics);
  const { log } = options;
  const observe = createRequestObserver(options, metrics);
  const together = createTickCoalescer();
  const respond = createResponder({ observe, together, log });
  app.onError((error, c) =>
    toResponse(errorResponse(error, { request_id: c.get('request_id'), log })),
  );
  if (options.cors_origins.length > 0) app.use(corsMiddleware(options, observe));
  const mounts = options.mounts ?? [];
  const routes = mounts.flatMap((mount) => resourceMetadataRoutes(mount, options));
  for (const { path, answering } of [...pageRoutes(options, metrics), ...routes]) {
    app.get(path, respond(answering));
  }
  const admitBy = createAdmission(options);
  const admitKeys = admitBy(options.authenticate);
  for (const mount of mounts) {
    const { protection } = mount;
    const admit = protection === undefined ? admitKeys : admitBy(protection.authenticate);
    const serve = observeResponse({ observe, together }, createMountHandler(mount, admit, options));
    app.all(mount.path, serve).all(`${mount.path}/`, serve);
  }
  const sessions = createBrowserSessions(options);
  const dashboard = { sessions, links: createLoginLinks(options), admit: admitKeys };
  for (const { method, path, answering } of dashboardRoutes(options, dashboard)) {
    app.on(method, path, respond(answering));
  }
  // Only here: what is mounted is for programs, which have keys.
  const admitAll = admitBy(options.authenticate, sessions);
  app.all('*', respond(createOperationHandler(admitAll, options)));
  return app;
}

/** A page of another origin can only use a key that it was given: it never gets a session. */
function corsMiddleware(
  { cors_origins }: RestOptions,
  observe: ObserveRequest,
): MiddlewareHandler<RestEnv> {
  const allow = cors({
    origin: cors_origins.includes('*') ? '*' : [...cors_origins],
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [
      versionHeader,
      'X-Request-ID',
      'Link',
      'Retry-After',
      'Idempotency-Replayed',
      'Mcp-Session-Id',
      'WWW-Authenticate',
      warningHeader,
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
    ],
    maxAge: 600,
  });
  return async (c, next) => {
    if (c.req.method !== 'OPTIONS') return allow(c, next);
    // A preflight request is answered here and goes no further.
    const { headers, end } = observe(c);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const answer = await allow(c, next);
    end(answer?.status ?? c.res.status);
    return answer;
  };
}
