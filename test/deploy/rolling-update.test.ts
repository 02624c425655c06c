import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Service, spawnService, until } from '../e2e/service.ts';
import { databaseOf, dropDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { findCaddy, startCaddy } from './caddy.ts';
import { startProxy } from './proxy.ts';
import { startTraffic } from './traffic.ts';

const caddy = await findCaddy();
if (caddy === null)
  process.stderr.write('SKIPPED: no Caddy, and it cannot be had from Debian here\n');

const proxies = [
  // Twenty looks of the proxy: on a busy machine some of them are late.
  { name: 'a proxy', start: startProxy, shutdown_delay_ms: 2_000, isHere: true },
  {
    name: 'Caddy, as deploy/ configures it',
    start: (upstreams: string[]) => startCaddy(caddy ?? '', upstreams),
    shutdown_delay_ms: 3_000,
    isHere: caddy !== null,
  },
];

let data_dir: string;
let replicas: Service[];

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'mneme-rolling-'));
  replicas = [];
});

afterEach(async () => {
  for (const replica of replicas) replica.kill('SIGKILL');
  await Promise.all(replicas.map(({ exited }) => exited));
  await dropDatabase(data_dir);
  await rm(data_dir, { recursive: true, force: true, maxRetries: 5 });
});

describe.each(proxies)('three servers behind $name', ({ start, shutdown_delay_ms, isHere }) => {
  it.runIf(isHere)(
    'are replaced one by one under load without a failed request',
    async () => {
      const spawn = async (port: number) => {
        const { database } = await databaseOf(data_dir);
        const replica = await spawnService({
          data_dir,
          env: {
            MNEME_PORT: String(port),
            MNEME_SHUTDOWN_DELAY_MS: String(shutdown_delay_ms),
            MNEME_ALLOWED_HOSTS: 'localhost,127.0.0.1',
            MNEME_REQUEST_LOG: 'false',
            ...(database && { MNEME_DATABASE_URL: database.url }),
          },
        });
        replicas.push(replica);
        return replica;
      };
      const ports = [await freePort(), await freePort(), await freePort()];
      const first: Service[] = [];
      for (const port of ports) first.push(await spawn(port));
      const proxy = await start(first.map(({ url }) => url));
      const traffic = startTraffic(proxy.url);
      await traffic.more(50);

      const ends = [];
      for (const [index, port] of ports.entries()) {
        first[index]?.kill('SIGTERM');
        ends.push(await first[index]?.exited);
        const next = await spawn(port);
        await until(
          async () => (await next.send('GET', '/readyz')).status,
          (status) => status === 200,
        );
        await traffic.more(50);
      }

      expect(await traffic.stop()).toEqual([]);
      expect(ends).toEqual(Array(3).fill({ code: 0, signal: null }));
      await proxy.stop();
    },
    180_000,
  );
});
