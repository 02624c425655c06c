import { Agent, type Dispatcher, EnvHttpProxyAgent, fetch } from 'undici';
import type { Fetch } from '../client/http-invoke.ts';
import { version } from '../version.ts';
import { isLoopback } from './loopback.ts';

export type HttpPool = { fetch: Fetch; close(): Promise<void> };

/** Requests in progress at the same time; others wait for one to end. */
const connectionsMax = 32;

/** Connecting takes one or two round trips; a host that takes longer is not reachable. */
const connectTimeoutMs = 10_000;

/**
 * A pool of connections to one server. Uses the proxies of the environment (`HTTPS_PROXY`,
 * `HTTP_PROXY`, `NO_PROXY`), except for this machine.
 */
export function openHttpPool(options: { url: string; timeout_ms: number }): HttpPool {
  const { timeout_ms } = options;
  const pool = {
    connections: connectionsMax,
    connect: { timeout: Math.min(connectTimeoutMs, timeout_ms) },
    headersTimeout: timeout_ms,
    bodyTimeout: timeout_ms,
  };
  const dispatcher: Dispatcher = isLoopback(options.url)
    ? new Agent(pool)
    : new EnvHttpProxyAgent(pool);
  return {
    fetch: (url, { headers, ...init }) =>
      fetch(url, { ...init, headers: { ...headers, 'User-Agent': userAgent }, dispatcher }),
    close: () => dispatcher.destroy(),
  };
}

const userAgent = `mneme/${version}`;
