import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import { refusal } from './refusal.ts';

export type GuardOptions = {
  /** Names by which clients may reach this server, ports left out; null is any. */
  allowed_hosts: readonly string[] | null;
  /** Origins of web pages that may call, as `https://example.com`; `*` is any. */
  cors_origins: readonly string[];
};

/**
 * Refuses requests of web pages that have no business here. A page that points its own name at this
 * machine shows by the Host header, any other by its Origin; programs send none.
 */
export function createGuard({
  allowed_hosts,
  cors_origins,
}: GuardOptions): (request: Request) => Response | null {
  const hosts = allowed_hosts?.map((host) => host.toLowerCase()) ?? null;
  return ({ headers, url }) => {
    const host = headers.get('Host') ?? new URL(url).host;
    const found = hosts === null ? null : validateHostHeader(host, hosts);
    if (found?.ok === false) {
      return refusal(403, `${found.message}; allowed_hosts names those that are served`);
    }
    const origin = headers.get('Origin');
    if (origin === null || isKnown(origin, { host, cors_origins })) return null;
    return refusal(403, 'web pages of this origin may not call; cors_origins names those that may');
  };
}

type Known = { host: string; cors_origins: readonly string[] };

/** Pages of this server, of this machine, and those that the configuration names. */
function isKnown(origin: string, { host, cors_origins }: Known): boolean {
  if (cors_origins.includes('*') || cors_origins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.host === host.toLowerCase() || localhostAllowedHostnames().includes(url.hostname);
}

/** Which hosts a server answers to that listens on `host` and was not told. */
export function defaultHosts(host: string): string[] | null {
  const isLoopback = host === 'localhost' || host === '::1' || host.startsWith('127.');
  if (!isLoopback) return null;
  const own = host.includes(':') ? `[${host}]` : host;
  return [...new Set([...localhostAllowedHostnames(), own])];
}
