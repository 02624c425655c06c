import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ownerKey, until } from '../e2e/service.ts';
import { shakeHands, spawnWire } from '../e2e/support.ts';
import { freePort } from '../support/free-port.ts';
import { addressOf, docker, stateOf } from './docker.ts';
import { startTraffic } from './traffic.ts';

/** Only on request: it downloads packages and base images and builds for minutes. */
const isWanted = process.env.TEST_DOCKER === '1';
if (!isWanted) {
  process.stderr.write('SKIPPED without TEST_DOCKER=1: test/deploy/containers.test.ts\n');
}

const version = `test-${process.pid}`;
const image = `mneme:${version}`;
const buildTimeoutMs = 1_200_000;
const testTimeoutMs = 300_000;
const headers = { Authorization: `Token ${ownerKey}`, 'Content-Type': 'application/json' };

beforeAll(async () => {
  if (isWanted) await docker('build', '--file', 'deploy/Dockerfile', '--tag', image, '.');
}, buildTimeoutMs);

afterAll(async () => {
  if (isWanted) await docker('rmi', '--force', image);
}, testTimeoutMs);

describe.runIf(isWanted)('the image in a container', () => {
  it(
    'holds the program and little else, and nothing that its user can change',
    async () => {
      const code = `const { execPath, getuid } = process, fs = require('fs');
        const bytes = fs.readdirSync('/app', { recursive: true })
          .reduce((sum, name) => sum + fs.statSync('/app/' + name).size, 0);
        const change = (path) => {
          try { fs.renameSync(path, path + '-'); return null } catch (error) { return error.code }
        };
        console.log(JSON.stringify({ bytes, user: getuid(),
          changes: ['/app', '/app/dist', '/app/dist/cli.js', execPath].map(change) }))`;
      const node = ['--entrypoint', '/nodejs/bin/node', image, '-e', code];

      const found = JSON.parse(await docker('run', '--rm', ...node));

      expect(found.bytes).toBeLessThan(6_000_000);
      expect(found.user).toBe(65532);
      expect(found.changes).toEqual(Array(4).fill('EACCES'));
    },
    testTimeoutMs,
  );

  it(
    'serves from a file in a new volume, has no other rights, is healthy, and exits with 0',
    async () => {
      const name = `mneme-${version}`;
      onTestFinished(async () => {
        await docker('rm', '--force', name);
        await docker('volume', 'rm', name);
      });
      const confined = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
      await docker(
        'run',
        '--detach',
        '--name',
        name,
        ...confined,
        '--volume',
        `${name}:/data`,
        '--publish',
        '127.0.0.1::8787',
        '--env',
        `MNEME_BOOTSTRAP_KEY=${ownerKey}`,
        image,
      );
      const first = await readyAt(name);
      const body = JSON.stringify({ messages: 'I like tea', user_id: 'alice', infer: false });

      const added = await fetch(`${first}/v1/memories/`, { method: 'POST', headers, body });
      await docker('stop', '--time', '30', name);
      const code = await stateOf(name, '{{.State.ExitCode}}');
      await docker('start', name);
      const second = await readyAt(name);
      const kept = await fetch(`${second}/v1/memories/?user_id=alice`, { headers });

      expect(added.status).toBe(200);
      expect(code).toBe('0');
      expect(await kept.json()).toMatchObject([{ memory: 'I like tea' }]);
    },
    testTimeoutMs,
  );

  it(
    'is an MCP server over standard input and output, without a network',
    async () => {
      const args = ['run', '--interactive', '--rm', '--network', 'none', image, '--user-id', 'ada'];
      const wire = spawnWire({
        command: 'docker',
        args,
        env: { ...process.env } as never,
        cwd: '/',
      });
      await shakeHands(wire);

      const fact = { name: 'add_memory', arguments: { text: 'Ada likes tea' } };
      const added = await wire.request('tools/call', fact);
      wire.end();

      expect(JSON.stringify(added)).toContain('user_id \\"ada\\"');
      expect(await wire.exited).toEqual({ code: 0, signal: null });
    },
    testTimeoutMs,
  );
});

describe.runIf(isWanted)('compose', () => {
  let folder: string;
  let url: string;
  const compose = (...args: string[]) =>
    docker(
      'compose',
      '--file',
      'deploy/compose/compose.yaml',
      '--project-name',
      `mneme-${version}`,
      '--env-file',
      join(folder, '.env'),
      ...args,
    );

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mneme-compose-'));
    const [http, https] = [await freePort(), await freePort()];
    url = `https://localhost:${https}`;
    const settings = {
      POSTGRES_PASSWORD: 'first',
      MNEME_OWNER_PASSWORD: 'second',
      MNEME_DATABASE_PASSWORD: 'third',
      MNEME_BOOTSTRAP_KEY: ownerKey,
      MNEME_HTTP_PORT: http,
      MNEME_HTTPS_PORT: https,
      MNEME_VERSION: version,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(folder, '.env'), lines.join(''));
    // Caddy signs the certificate of localhost itself.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    await compose('up', '--detach', '--wait');
  }, testTimeoutMs);

  afterAll(async () => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    if (!isWanted) return;
    await compose('down', '--volumes');
    rmSync(folder, { recursive: true });
  }, testTimeoutMs);

  it(
    'distributes requests among replicas that share one memory',
    async () => {
      const traffic = startTraffic(url);
      await traffic.more(200);

      expect(await traffic.stop()).toEqual([]);
      for (const replica of replicas) {
        expect(await compose('logs', '--no-log-prefix', replica)).toContain('"add_memory"');
      }
    },
    testTimeoutMs,
  );

  it(
    'replaces its replicas one by one under load without a failed request',
    async () => {
      const traffic = startTraffic(url);
      await traffic.more(50);

      await compose('run', '--rm', 'migrate');
      for (const replica of replicas) {
        await compose('up', '--detach', '--wait', '--no-deps', '--force-recreate', replica);
        await traffic.more(50);
      }

      expect(await traffic.stop()).toEqual([]);
    },
    testTimeoutMs,
  );

  it(
    'has its memories again after down and up',
    async () => {
      const body = JSON.stringify({ messages: 'I like tea', user_id: 'kept', infer: false });
      const added = await fetch(`${url}/v1/memories/`, { method: 'POST', headers, body });

      await compose('down');
      await compose('up', '--detach', '--wait');
      const found = await fetch(`${url}/v1/memories/?user_id=kept`, { headers });

      expect(added.status).toBe(200);
      expect(await found.json()).toMatchObject([{ memory: 'I like tea' }]);
    },
    testTimeoutMs,
  );
});

const replicas = ['mneme-1', 'mneme-2', 'mneme-3'];

/**
 * The address of a container that is healthy and ready. Not asked before: what Docker puts in front
 * takes connections that nobody answers yet, and fetch of Node.js 20 waits for ever on those.
 */
async function readyAt(container: string): Promise<string> {
  await until(
    () => stateOf(container, '{{.State.Health.Status}}'),
    (health) => health === 'healthy',
    { withinMs: 60_000, everyMs: 500 },
  );
  const url = await addressOf(container, 8787);
  await until(
    async () => (await fetch(`${url}/readyz`)).status,
    (status) => status === 200,
  );
  return url;
}
