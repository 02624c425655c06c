import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import type { AdmitRequest } from '../auth/admission.ts';
import { checkSameOrigin, type Sessions } from '../auth/sessions.ts';
import { parseBody, readBody } from '../http/body.ts';
import { HttpError } from '../http/errors.ts';
import type { RestOptions } from '../http/options.ts';
import type { ResponseHandler } from '../http/respond.ts';
import { type HttpResponse, jsonResponse } from '../http/response.ts';

/** Everything comes from this server; nothing is inline. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

type DashboardRoute = { method: string; path: string; answering: ResponseHandler };
type DashboardParts = { sessions: Sessions; admit: AdmitRequest };

/** The dashboard: files that need no key, and the exchange of a key for a session. */
export function dashboardRoutes(options: RestOptions, parts: DashboardParts): DashboardRoute[] {
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
    route('POST', '/dashboard/session', (c) => startSession(c.req.raw, options, parts)),
    route('DELETE', '/dashboard/session', (c) => {
      const cookie = parts.sessions.end(c.req.raw);
      return { status: 204, headers: { 'Set-Cookie': cookie, ...noStore }, body: null };
    }),
  ];
}

const noStore = { 'Cache-Control': 'no-store' };

/** A new session each time, so that nobody can be given one that another knows. */
async function startSession(
  request: Request,
  options: RestOptions,
  { sessions, admit }: DashboardParts,
): Promise<HttpResponse> {
  checkSameOrigin(request, options);
  const body = parseBody(await readBody(request, options.body_max_bytes));
  const api_key = isObject(body) ? body.api_key : undefined;
  if (typeof api_key !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(api_key)) {
    throw invalid('api_key', 'must be an API key: visible ASCII letters, without spaces');
  }
  const { key } = await admit(new Request(request.url, { headers: { 'X-API-Key': api_key } }));
  const { cookie, proof } = sessions.start(request, api_key);
  const { read_only } = key.caller;
  return jsonResponse(200, { proof, read_only }, { 'Set-Cookie': cookie, ...noStore });
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
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Referrer-Policy': 'no-referrer',
        'Cross-Origin-Opener-Policy': 'same-origin',
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
