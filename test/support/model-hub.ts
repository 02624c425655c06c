import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** A hub of models on this machine: `ORGANIZATION/NAME` is a folder in its folder. */
export type ModelHub = { url: string; asked: string[]; close(): Promise<void> };

export async function startModelHub(folder: string): Promise<ModelHub> {
  const asked: string[] = [];
  const http = createServer(({ url = '', method = '' }, response) => {
    asked.push(`${method} ${url}`);
    const [, model = '', file = ''] = /^\/([^/]+\/[^/]+)\/resolve\/[^/]+\/(.+)$/.exec(url) ?? [];
    const path = join(folder, model, file);
    if (model === '' || !existsSync(join(folder, model))) return response.writeHead(401).end();
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Length': statSync(path).size });
    if (method === 'HEAD') return response.end();
    return createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
