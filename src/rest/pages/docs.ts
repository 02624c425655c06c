import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import { HttpError } from '../http/errors.ts';

/** Everything comes from this server; the components of the renderer have inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const docsHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

export const docsPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>mneme API</title>
<script type="module" src="/docs/explorer.js"></script>
<openapi-explorer spec-url="/openapi.json" hide-server-selection></openapi-explorer>
</html>
`;

/**
 * The compressed renderer: in a build it is next to the program, in the sources it comes from npm.
 */
export async function docsScript(): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const built = new URL('../docs/explorer.js.gz', import.meta.url);
    const script = await readFile(built).catch(() => null);
    return new Uint8Array(script ?? gzipSync(await readFile(installedRenderer())));
  } catch {
    throw new HttpError(404, 'this build has no reference page; see /openapi.json');
  }
}

function installedRenderer(): string {
  const name = 'openapi-explorer/dist/browser/openapi-explorer.min.js';
  return createRequire(import.meta.url).resolve(name);
}
