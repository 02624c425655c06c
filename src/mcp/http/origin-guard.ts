import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { jsonRpcError } from './json-rpc-error.ts';

export type OriginGuardOptions = {
  /** Host names by which clients may reach this server, without ports; null allows any. */
  allowed_hosts: readonly string[] | null;
  /** Origins of web pages that are allowed, as `https://example.com`; `*` allows any. */
  cors_origins: readonly string[];
};

/**
 * Refuses requests of foreign web pages. A page that points its own name at this machine is
 * recognized by the Host header, any other page by its Origin; programs send no Origin.
 */
export function createOriginGuard({
  allowed_hosts,
  cors_origins,
}: OriginGuardOptions): (request: Request) => Response | null {
  const hosts = allowed_hosts?.map((host) => host.toLowerCase()) ?? null;
  return ({ headers, url }) => {
    const host = headers.get('Host') ?? new URL(url).host;
    const validation = hosts === null ? null : validateHostHeader(host, hosts);
    if (validation?.ok === false) {
      return jsonRpcError(
        403,
        `${validation.message}; allowed_hosts lists the hosts that are allowed`,
      );
    }
    const origin = headers.get('Origin');
    if (origin === null || isAllowedOrigin(origin, { host, cors_origins })) return null;
    return jsonRpcError(
      403,
      'web pages of this origin are not allowed; cors_origins lists those that are',
    );
  };
}

type AllowedOrigins = { host: string; cors_origins: readonly string[] };

/** Pages of this server, of this machine, and of the configured origins. */
function isAllowedOrigin(origin: string, { host, cors_origins }: AllowedOrigins): boolean {
  if (cors_origins.includes('*') || cors_origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (!['http:', 'https:'].includes(url.protocol)) return false;
  return url.host === host.toLowerCase() || localhostAllowedHostnames().includes(url.hostname);
}

/** The allowed hosts of a server that listens on `host`, when none are configured. */
export function defaultAllowedHosts(host: string): string[] | null {
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!isLoopback) return null;
  const hostName = host.includes(':') ? `[${host}]` : host;
  return [...new Set([...localhostAllowedHostnames(), hostName])];
}
