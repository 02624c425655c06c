import { type Context, type Handler, Hono } from 'hono';
import { docsHeaders, docsPage, docsScript } from './docs.ts';
import type { RestEnv } from './env.ts';
import { HttpError } from './failure.ts';
import type { Metrics } from './metrics.ts';
import { createOpenApi } from './openapi.ts';
import type { RestOptions } from './options.ts';

/**
 * What is no operation. Health, the description of the API and its reference page are open to all:
 * they tell nothing of anybody's data. Metrics tell how much is going on, so other machines see
 * them only where the configuration says so.
 */
export function pages(options: RestOptions, metrics: Metrics): Hono<RestEnv> {
  const app = new Hono<RestEnv>();
  const openApi = createOpenApi(options.version);
  const page = (name: string, path: string, answer: Handler<RestEnv>) =>
    app.get(path, (c, next) => {
      c.set('operation', name);
      return answer(c, next);
    });

  page('healthz', '/healthz', (c) => c.json({ status: 'ok' }));
  page('readyz', '/readyz', async (c) => {
    if (await isReady(options)) return c.json({ status: 'ok' });
    throw new HttpError(503, 'not ready', { 'Retry-After': '2' });
  });
  page('metrics', '/metrics', async (c) => {
    if (!options.metrics_public && !isLocal(c)) {
      throw new HttpError(403, 'metrics are shown to this machine only');
    }
    const { type, body } = await metrics.text();
    return c.body(body, 200, { 'Content-Type': type });
  });
  page('openapi', '/openapi.json', (c) =>
    c.body(openApi(), 200, { 'Content-Type': 'application/json' }),
  );
  page('docs', '/docs', (c) => c.html(docsPage, 200, docsHeaders));
  page('docs', '/docs/explorer.js', async (c) => {
    const script = await docsScript();
    return c.body(script, 200, {
      'Content-Type': 'text/javascript; charset=utf-8',
      'Content-Encoding': 'gzip',
      'Cache-Control': 'public, max-age=3600',
    });
  });
  return app;
}

/** A store that can't be asked is not ready. */
async function isReady({ ready, accepts = () => true }: RestOptions): Promise<boolean> {
  return accepts() && (await ready().catch(() => false));
}

/** A request that a proxy on this machine passes on comes from elsewhere. */
function isLocal({ env, req }: Context<RestEnv>): boolean {
  const address = env?.incoming?.socket.remoteAddress ?? '';
  const headers = ['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'];
  if (headers.some((name) => req.raw.headers.get(name) !== null)) return false;
  return address === '::1' || /^(::ffff:)?127\./.test(address);
}
