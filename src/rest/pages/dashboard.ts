import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { HttpError } from '../http/errors.ts';
import type { RestOptions } from '../http/options.ts';
import type { ResponseHandler } from '../http/respond.ts';
import type { HttpResponse } from '../http/response.ts';
import { endSession, offerLink, type SessionParts, startSession } from './dashboard-session.ts';
import { pageHeaders } from './page-headers.ts';

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

type DashboardRoute = { method: string; path: string; answering: ResponseHandler };

/** The dashboard: files that need no key, and the exchange of a key or a link for a session. */
export function dashboardRoutes(options: RestOptions, parts: SessionParts): DashboardRoute[] {
  const route = (method: string, path: string, answer: ResponseHandler): DashboardRoute => {
    const answering: ResponseHandler = (c) => {
      c.set('operation', 'dashboard');
      return answer(c);
    };
    return { method, path, answering };
  };
  const files = createFileReader();

  return [
    route('GET', '/dashboard', () => files('index.html')),
    route('GET', '/dashboard/', () => files('index.html')),
    route('GET', '/dashboard/assets/:name', (c) => files(`assets/${c.req.param('name')}`)),
    route('POST', '/dashboard/session', (c) => startSession(c, options, parts)),
    route('POST', '/dashboard/links', (c) => offerLink(c, options, parts)),
    route('DELETE', '/dashboard/session', (c) => endSession(c, parts)),
  ];
}

/** Reads the files of the build once. Names of assets contain a hash of their content. */
function createFileReader() {
  const read = new Map<string, Uint8Array<ArrayBuffer>>();

  return async (path: string): Promise<HttpResponse> => {
    const type = types[path.slice(path.lastIndexOf('.') + 1)];
    const isKnown = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)*$/.test(path);
    if (type === undefined || !isKnown) throw new HttpError(404, 'no such file');
    const body = read.get(path) ?? (await compressedFile(path));
    read.set(path, body);
    return {
      status: 200,
      headers: {
        'Content-Type': type,
        'Content-Encoding': 'gzip',
        'Cache-Control': path === 'index.html' ? 'no-cache' : 'public, max-age=31536000, immutable',
        ...pageHeaders,
      },
      body,
    };
  };
}

/** In a build the files are next to the program; from the sources there are none. */
async function compressedFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = new URL(`../dashboard/${path}`, import.meta.url);
  const content = await readFile(file).catch(() => null);
  if (content === null) throw new HttpError(404, 'this build has no such file of the dashboard');
  return new Uint8Array(gzipSync(content));
}
