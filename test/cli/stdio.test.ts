import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runIn, start, temporaryFolder } from './support.ts';

const home = temporaryFolder();
const data_dir = join(home, 'data');
const cli = join(import.meta.dirname, '../../dist/cli.js');

const initialize = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
})}\n`;

describe('mneme as a server', () => {
  it('says nothing to a client but its answers, and ends with the input', async () => {
    const { code, stdout, stderr } = await runIn(home)(['--data-dir', data_dir], {
      input: initialize,
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'mneme' } } });
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends in order on %s', async (signal) => {
    const server = start(home, ['--data-dir', data_dir]);
    server.stdin.write(initialize);
    await once(server.stdout, 'data');

    server.kill(signal);
    const [code] = await once(server, 'exit');

    expect(code).toBe(0);
    expect(existsSync(join(data_dir, 'mneme.db-wal'))).toBe(false);
  });

  it('ends when nobody reads its answers any more', async () => {
    const server = start(home, ['--data-dir', data_dir]);
    server.stdout.destroy();
    server.stdin.write(initialize);

    const [code] = await once(server, 'exit');

    expect(code).toBe(0);
  });

  it('does not start with a wrong configuration', async () => {
    const { code, stdout, stderr } = await runIn(home)(['--tools', 'x', '--lease-ms', 'x']);

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });

  it.skipIf(!hasTerminals())('tells a person where data lie and how to connect a client', () => {
    const command = `"${process.execPath}" "${cli}" --data-dir "${data_dir}"`;
    const env = { ...process.env, HOME: home };

    const { stdout, status } = spawnSync('script', ['-qec', command, '/dev/null'], {
      env,
      encoding: 'utf8',
      cwd: home,
      input: '\u0004',
      timeout: 20_000,
    });

    expect(status).toBe(0);
    expect(stdout).toContain(`Memories are kept in ${data_dir}`);
    expect(stdout).toContain(`Connect yours first:\r\n\r\n  node ${cli} init\r\n`);
    expect(stdout).toContain('"mcpServers"');
    expect(stdout).toContain(JSON.stringify(cli));
  });
});

/** `script` of util-linux gives a program a terminal. */
function hasTerminals(): boolean {
  return spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;
}
