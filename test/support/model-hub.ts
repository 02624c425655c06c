import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pause } from './pause.ts';

/** A hub of models on this machine: `ORGANIZATION/NAME` is a folder in its folder. */
export type ModelHub = {
  url: string;
  asked: string[];
  /** Cuts each response off after so many bytes of its body, until this is null again. */
  cutAfter: number | null;
  /** Redirects to its storage, as the public hub does for weights. */
  redirects: boolean;
  close(): Promise<void>;
};

export async function startModelHub(folder: string): Promise<ModelHub> {
  const http = createServer((request, response) => {
    const { url = '', method = '', headers } = request;
    hub.asked.push([method, url, headers.range].filter(Boolean).join(' '));
    const [, model = '', file = ''] = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(url) ?? [];
    const path = join(folder, model, file);
    if (url.startsWith('/storage/')) {
      const content = readFileSync(join(folder, url.slice('/storage/'.length)));
      return sendFile(request, response, { content, cutAfter: hub.cutAfter });
    }
    if (model === '' || !existsSync(join(folder, model))) return response.writeHead(401).end();
    if (!existsSync(path)) return response.writeHead(404).end();
    const content = readFileSync(path);
    if (hub.redirects) return redirectToStorage(response, { content, at: `${model}/${file}` });
    return sendFile(request, response, { content, cutAfter: hub.cutAfter });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const hub: ModelHub = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked: [],
    cutAfter: null,
    redirects: false,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  return hub;
}

/** The answer describes the file, and the storage knows nothing but its bytes. */
function redirectToStorage(
  response: ServerResponse,
  { content, at }: { content: Buffer; at: string },
): void {
  const headers = {
    'X-Linked-ETag': `"${createHash('sha256').update(content).digest('hex')}"`,
    'X-Linked-Size': content.length,
    Location: `/storage/${at}`,
  };
  response.writeHead(302, headers).end();
}

type Sending = { content: Buffer; cutAfter: number | null };

/** As the hub does: with a tag of the content, from the byte that is asked for. */
function sendFile(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  { content, cutAfter }: Sending,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const rest = content.subarray(from);
  response.writeHead(from > 0 ? 206 : 200, {
    'Content-Length': rest.length,
    ETag: `"${createHash('sha1').update(content).digest('hex')}"`,
  });
  if (method === 'HEAD') response.end();
  else if (cutAfter === null || rest.length <= cutAfter) response.end(rest);
  else {
    response.write(rest.subarray(0, cutAfter));
    // Clients discard what they have not read by the end of a connection.
    void pause(100).then(() => response.destroy());
  }
}
