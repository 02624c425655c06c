import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { versionHeader } from '../../contract/http-binding.ts';
import type { RestEnv } from './hono-env.ts';
import type { Metrics } from './metrics.ts';
import type { RestOptions } from './options.ts';

const requestIdHeader = 'X-Request-ID';

/** What may be repeated in answers and logs; anything else is replaced. */
const safeRequestId = /^[\w.:+/=@-]{1,128}$/;

/** A request that is being answered. */
export type ObservedRequest = {
  request_id: string;
  /** What every answer carries. */
  headers: Readonly<Record<string, string>>;
  /** To be called once, when the answer is there. */
  end(status: number): void;
};

export type ObserveRequest = (c: Context<RestEnv>) => ObservedRequest;

/**
 * Gives each request an id and says how it went: to the log without its path, whose ids are the
 * caller's own, and to the metrics.
 */
export function createRequestObserver(
  { request_log, log, version }: RestOptions,
  metrics: Metrics,
): ObserveRequest {
  return (c) => {
    const started = performance.now();
    const request_id = requestIdOf(c.req.raw.headers);
    c.set('request_id', request_id);
    const end = (status: number) => {
      const ms = performance.now() - started;
      const operation = c.get('operation') ?? 'none';
      metrics.record({ operation, status, seconds: ms / 1000 });
      if (!request_log || isSuccessfulProbe(operation, status)) return;
      const { method } = c.req;
      const duration_ms = Math.round(ms * 100) / 100;
      log('info', 'request', { request_id, method, operation, status, duration_ms });
    };
    return {
      request_id,
      headers: { [requestIdHeader]: request_id, [versionHeader]: version },
      end,
    };
  };
}

/** What proxies and orchestrators ask every second or two is worth a line when the answer is no. */
function isSuccessfulProbe(operation: string, status: number): boolean {
  return status === 200 && (operation === 'healthz' || operation === 'readyz');
}

function requestIdOf(headers: Headers): string {
  const given = headers.get(requestIdHeader);
  return given !== null && safeRequestId.test(given) ? given : randomUUID();
}
