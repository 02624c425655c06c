import type { RestConfig } from './options.ts';

/** The path of an absolute URL, still encoded. */
export function urlPath(url: string): string {
  const start = pathStart(url);
  const end = url.indexOf('?', start);
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** The query string with its question mark, or an empty string. */
export function urlQuery(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start);
}

/** The URL by which the client reached this server, through a trusted proxy if there is one. */
export function absoluteUrl(request: Request, { trust_proxy }: Pick<RestConfig, 'trust_proxy'>) {
  if (!trust_proxy) return request.url;
  const url = new URL(request.url);
  const proto = firstValue(request.headers.get('X-Forwarded-Proto'));
  const host = firstValue(request.headers.get('X-Forwarded-Host'));
  if (proto === 'http' || proto === 'https') url.protocol = `${proto}:`;
  if (host !== null && /^[\w.-]+(:\d+)?$/.test(host)) {
    url.port = ''; // Otherwise a host without a port would keep the old one.
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
