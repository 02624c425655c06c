import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { HttpError } from '../http/errors.ts';
import type { HttpResponse } from '../http/response.ts';
import { pageHeaders } from './page-headers.ts';
import { referencePage } from './reference-page.ts';

/** The reference of the API, written once. */
export function createDocsPage(version: string): () => Promise<HttpResponse> {
  let body: Promise<Uint8Array<ArrayBuffer>> | null = null;
  return async () => {
    body ??= referencePage(version).then(compressed);
    const headers = { ...compressedHeaders('text/html'), 'Cache-Control': 'no-cache' };
    return { status: 200, headers, body: await body };
  };
}

/** The script or the style of that page; in a build they are next to the program. */
export async function docsFile(name: 'docs.js' | 'docs.css'): Promise<HttpResponse> {
  const content = await readFile(new URL(`../docs/${name}`, import.meta.url)).catch(() => null);
  if (content === null) throw new HttpError(404, 'this build has no files for /docs');
  const type = name === 'docs.js' ? 'text/javascript' : 'text/css';
  const headers = { ...compressedHeaders(type), 'Cache-Control': 'no-cache' };
  return { status: 200, headers, body: compressed(content) };
}

function compressedHeaders(type: string) {
  return {
    ...pageHeaders,
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Encoding': 'gzip',
  };
}

function compressed(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(content));
}
