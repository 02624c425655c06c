import type { RestConfig } from './options.ts';

/** The path of an absolute address, as it was sent. */
export function urlPath(url: string): string {
  const start = pathStart(url);
  const end = url.indexOf('?', start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The query string with its question mark, or nothing. */
export function urlQuery(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** The address by which the client reached this server, through a proxy where one is trusted. */
export function absoluteUrl(request: Request, { trust_proxy }: Pick<RestConfig, 'trust_proxy'>) {
  if (!trust_proxy) return request.url;
  const url = new URL(request.url);
  const proto = firstValue(request.headers.get('X-Forwarded-Proto'));
  const host = firstValue(request.headers.get('X-Forwarded-Host'));
  if (proto === 'http' || proto === 'https') url.protocol = `${proto}:`;
  if (host !== null && /^[\w.-]+(:\d+)?$/.test(host)) {
    url.port = ''; // A host that names no port would keep it.
    url.host = host;
  }
  return url.href;
}

function pathStart(url: string): number {
  return url.indexOf('/', url.indexOf('://') + 3);
}

function firstValue(value: string | null): string | null {
  return value?.split(',')[0]?.trim() ?? null;
}
