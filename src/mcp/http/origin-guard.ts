import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { jsonRpcError } from './json-rpc-error.ts';

export type OriginGuardOptions = {
  /** Names by which clients may reach this server, ports left out; null is any. */
  allowed_hosts: readonly string[] | null;
  /** Origins of web pages that may call, as `https://example.com`; `*` is any. */
  cors_origins: readonly string[];
};

/**
 * Refuses requests of web pages that have no business here. A page that points its own name at this
 * machine shows by the Host header, any other by its Origin; programs send none.
 */
export function createOriginGuard({
  allowed_hosts,
  cors_origins,
}: OriginGuardOptions): (request: Request) => Response | null {
  const hosts = allowed_hosts?.map((host) => host.toLowerCase()) ?? null;
  return ({ headers, url }) => {
    const host = headers.get('Host') ?? new URL(url).host;
    const found = hosts === null ? null : validateHostHeader(host, hosts);
    if (found?.ok === false) {
      return jsonRpcError(403, `${found.message}; allowed_hosts names those that are served`);
    }
    const origin = headers.get('Origin');
    if (origin === null || isAllowedOrigin(origin, { host, cors_origins })) return null;
    return jsonRpcError(
      403,
      'web pages of this origin may not call; cors_origins names those that may',
    );
  };
}

type AllowedOrigins = { host: string; cors_origins: readonly string[] };

/** Pages of this server, of this machine, and those that the configuration names. */
function isAllowedOrigin(origin: string, { host, cors_origins }: AllowedOrigins): boolean {
  if (cors_origins.includes('*') || cors_origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host.toLowerCase() || localhostAllowedHostnames().includes(url.hostname);
}

/** Which hosts a server answers to that listens on `host` and was not told. */
export function defaultAllowedHosts(host: string): string[] | null {
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!isLoopback) return null;
  const own = host.includes(':') ? `[${host}]` : host;
  return [...new Set([...localhostAllowedHostnames(), own])];
}
