import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../src/app/create-app.ts';
import { startServing } from '../../src/cli/commands/serve.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import { startServer } from '../clients/server.ts';
import { ownerKey } from '../e2e/service.ts';
import { addFixtures } from './fixtures/server.ts';
import { startKeyProxy } from './key-proxy.ts';

/** A server that the suite can talk to. */
export type Started = { url: string; close(): Promise<void> };

/** The built program, as it ships; with a user it has a resource to list and to read. */
export async function startProduct(): Promise<Started> {
  return behindKey(await startServed());
}

/** The same, for clients that can send a key. */
export async function startServed(): Promise<Started> {
  const server = await startServer({ user_id: 'sam' });
  return { url: server.url, close: server.stop };
}

/** What `mneme serve` puts together, with the fixtures on top of the tools that it has. */
export async function startProductWithFixtures(): Promise<Started> {
  const data_dir = await mkdtemp(join(tmpdir(), 'mneme-conformance-'));
  const config = join(data_dir, 'config.json');
  const values = { data_dir, port: 0, request_log: false, bootstrap_key: ownerKey };
  await writeFile(config, JSON.stringify(values));
  const loaded = await loadConfig({ config }, { env: {}, cwd: data_dir });
  const log = () => {};
  const app = createApp(loaded.values, { log });
  await app.keys.bootstrap();
  const server = await startServing({
    app,
    loaded,
    log,
    createServer: (options) => addFixtures(createMcpServer(options)),
  });
  const close = async () => {
    await server.close();
    await app.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
  };
  return behindKey({ url: server.url, close });
}

async function behindKey(server: Started): Promise<Started> {
  const proxy = await startKeyProxy(server.url, ownerKey);
  const close = async () => {
    await proxy.close();
    await server.close();
  };
  return { url: `${proxy.url}/mcp`, close };
}
