import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ownerKey } from '../e2e/service.ts';
import { installClients, installTimeoutMs, runProgram } from './installed.ts';
import { refused } from './only-loopback.mjs';
import { type Server, startServer } from './server.ts';

let server: Server;

beforeAll(async () => {
  await installClients();
  server = await startServer();
}, installTimeoutMs);

afterAll(() => server.stop());

it('the program of README.md finds what it adds', async () => {
  const [, program = ''] = /^```js\n(.*?)^```$/ms.exec(readFileSync('README.md', 'utf8')) ?? [];
  const print = vi.spyOn(console, 'log').mockReturnValue();
  vi.stubEnv('MEM0_TELEMETRY', 'false');
  vi.stubEnv('KEY', ownerKey);

  await runProgram(
    program.replace("'mem0ai'", "'mem0ai-3'").replace('http://127.0.0.1:8787', server.url),
  );

  expect(print.mock.calls).toEqual([['I like oolong tea.']]);
  expect(refused).toEqual([]);
  print.mockRestore();
  vi.unstubAllEnvs();
});
