import { HttpError } from '../http/errors.ts';
import { isLocalRequest } from '../http/local-request.ts';
import type { Metrics } from '../http/metrics.ts';
import type { RestOptions } from '../http/options.ts';
import type { ResponseHandler } from '../http/respond.ts';
import { jsonResponse } from '../http/response.ts';
import { createOpenApiJson } from '../openapi/document.ts';
import { createDocsPage, docsFile } from './docs.ts';

/** A page and where it is. */
export type PageRoute = { path: string; answering: ResponseHandler };

/**
 * Pages that are not operations. Health, the API description and its reference page are public,
 * because they reveal no data. Metrics reveal activity, so other machines see them only when the
 * configuration allows it.
 */
export function pageRoutes(options: RestOptions, metrics: Metrics): PageRoute[] {
  const openApi = createOpenApiJson(options.version);
  const page = (name: string, path: string, answer: ResponseHandler): PageRoute => {
    const answering: ResponseHandler = (c) => {
      c.set('operation', name);
      return answer(c);
    };
    return { path, answering };
  };

  return [
    page('healthz', '/healthz', () => jsonResponse(200, { status: 'ok' })),
    page('readyz', '/readyz', async () => {
      const readiness = await checkReadiness(options);
      if (readiness === 'ready') return jsonResponse(200, { status: 'ok' });
      throw new HttpError(503, notReadyMessages[readiness], { 'Retry-After': '2' });
    }),
    page('metrics', '/metrics', async (c) => {
      if (!options.metrics_public && !isLocalRequest(c)) {
        throw new HttpError(
          403,
          'metrics are shown to this machine only; metrics_public shows them to others',
        );
      }
      const { type, body } = await metrics.text();
      return { status: 200, headers: { 'Content-Type': type }, body };
    }),
    page('openapi', '/openapi.json', () => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: openApi(),
    })),
    // For people who open the address in a browser.
    page('root', '/', leadOn),
    page('docs', '/docs', createDocsPage(options.version)),
    page('docs', '/docs/docs.js', () => docsFile('docs.js')),
    page('docs', '/docs/docs.css', () => docsFile('docs.css')),
  ];
}

/** Browsers to the dashboard, programs to the reference. */
const leadOn: ResponseHandler = (c) => {
  const isBrowser = c.req.header('Accept')?.includes('text/html') === true;
  const headers = { Location: isBrowser ? '/dashboard' : '/docs', Vary: 'Accept' };
  return { status: 302, headers, body: null };
};

const notReadyMessages = {
  away: 'not ready',
  replaced: "not ready: the store's file was removed or replaced; restart the server",
};

/** A store that fails to answer is not ready. */
async function checkReadiness({
  ready,
  accepting = () => true,
  draining = () => false,
}: RestOptions) {
  return accepting() && !draining() ? ready().catch(() => 'away' as const) : 'away';
}
