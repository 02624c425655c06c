import { randomUUID } from 'node:crypto';
import type { Context } from 'hono';
import { versionHeader } from '../../contract/http-binding.ts';
import type { RestEnv } from './hono-env.ts';
import type { Metrics } from './metrics.ts';
import type { RestOptions } from './options.ts';

const requestIdHeader = 'X-Request-ID';

/** Ids that are safe to repeat in responses and logs; others are replaced. */
const safeRequestId = /^[\w.:+/=@-]{1,128}$/;

/** A request that is being answered. */
export type ObservedRequest = {
  request_id: string;
  /** Headers of every response. */
  headers: Readonly<Record<string, string>>;
  /** Must be called once, with the response. */
  end(status: number): void;
};

export type ObserveRequest = (c: Context<RestEnv>) => ObservedRequest;

/**
 * Gives each request an id and reports the result to the metrics and the log. The log omits the
 * path, because ids in it belong to the caller.
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

/** Probes of proxies and orchestrators are frequent, so only failed ones are logged. */
function isSuccessfulProbe(operation: string, status: number): boolean {
  return status === 200 && (operation === 'healthz' || operation === 'readyz');
}

function requestIdOf(headers: Headers): string {
  const id = headers.get(requestIdHeader);
  return id !== null && safeRequestId.test(id) ? id : randomUUID();
}
