import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const cli = resolve('dist/cli.js');
/** The address that README.md and docs/rest.md print, where another server may listen. */
const printed = 'http://127.0.0.1:8787';

type Server = { address: string; key: string; stop: () => Promise<void> };

/**
 * The commands of a document, one after the other, in an empty home: `mneme` is the built program,
 * `npx` starts it, and the server that they expect listens on a free port.
 */
describe.skipIf(process.platform === 'win32')('the commands of', () => {
  let home: string;
  let env: Record<string, string>;
  let server: Server;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'mneme-start-'));
    const program = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`;
    for (const [name, text] of Object.entries({
      mneme: program,
      npx: '#!/bin/sh\n[ "$1 $2" = "-y mneme" ] || exit 64\nshift 2\nexec mneme "$@"\n',
    })) {
      writeFileSync(join(home, name), text);
      chmodSync(join(home, name), 0o755);
    }
    symlinkSync(process.execPath, join(home, 'node'));
    const PATH = [home, process.env.PATH].join(delimiter);
    env = { PATH, HOME: home, USER: 'ada', MNEME_USER_ID: 'ada' };
    server = await serve(env);
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Runs a block as it is printed, but for the address. */
  const run = (block: string) =>
    execFileSync('sh', ['-eu', '-c', block.replaceAll(printed, server.address)], {
      cwd: home,
      encoding: 'utf8',
      timeout: 60_000,
      env: { ...env, KEY: server.key, URL: server.address },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  /** The same, while this process goes on: it may be the server that the block asks. */
  const runLater = (block: string) =>
    promisify(execFile)('sh', ['-eu', '-c', block], { cwd: home, env, timeout: 60_000 });

  it('README.md find what they stored', () => {
    // What installs, starts a server, or needs a file of the reader's.
    const others = /mneme init\b|mneme serve|npm |import --chat/;
    const finds: Record<string, string> = {
      'npx -y mneme add': 'User is allergic to hazelnuts. (',
      'npx -y mneme list': 'hazelnuts',
      'npx -y mneme call': '"created_at"',
      curl: '"memory":"User moved to Porto in May.","hash"',
    };
    const blocks = shellBlocks('README.md').filter((block) => !others.test(block));

    for (const [begin, found] of Object.entries(finds)) {
      const [block = '', ...more] = blocks.filter((one) => one.startsWith(begin));
      expect(more, begin).toEqual([]);
      expect(run(block), block).toContain(found);
    }
    expect(blocks).toHaveLength(Object.keys(finds).length);
  });

  it('the quick start of docs/rest.md find what they stored', () => {
    const [start = '', requests = ''] = shellBlocks('docs/rest.md');

    expect(start).toBe('mneme serve\n');
    const answers = run(requests.replace('KEY=mk_...\n', ''));
    expect(answers).toContain('"memory":"User moved to Lisbon.","hash"');
  });

  it('docs/graph.md answer relations', () => {
    const [requests = ''] = shellBlocks('docs/graph.md');

    expect(run(requests)).toContain('"relationship":"lives_in"');
  });

  it.skipIf(!hasJq())(
    'docs/migrate-from-mem0-server.md copy what that server answers',
    async () => {
      const ids = ['892db2ae-06d9-49e5-8b3e-585ef9b85b8e', '13efe83b-a8df-4ec0-814e-428d6e8451eb'];
      const common = { hash: 'h', user_id: 'ada', created_at: '2025-03-14T02:26:53.123456-07:00' };
      const results = [
        { id: ids[0], memory: 'Keeps bees', metadata: null, updated_at: null, ...common },
        { id: ids[1], memory: 'Likes oolong', metadata: { topic: 'tea' }, run_id: 'r', ...common },
      ];
      const other = createServer((request, response) => {
        response.end(request.url === '/memories?user_id=ada' ? JSON.stringify({ results }) : '{}');
      });
      await new Promise<void>((fulfil) => other.listen(0, '127.0.0.1', fulfil));
      const { port } = other.address() as AddressInfo; // it listens on a port
      const [copy = ''] = shellBlocks('docs/migrate-from-mem0-server.md');

      await runLater(copy.replace('http://localhost:8888', `http://127.0.0.1:${port}`));
      other.close();

      const topic =
        'npx -y mneme call get_memories --json \'{"filters": {"metadata": {"topic": "tea"}}}\'';
      const found = JSON.parse(run(topic));
      expect(found).toMatchObject({
        results: [{ id: ids[1], memory: 'Likes oolong', created_at: '2025-03-14T09:26:53.123Z' }],
      });
      expect(run('mneme search "who keeps bees"')).toContain('Keeps bees');
    },
  );

  it('docs/command-line.md find what they stored', () => {
    const [calls = ''] = shellBlocks('docs/command-line.md');

    expect(run(calls).match(/"The bike is in the cellar"/g)?.length).toBeGreaterThanOrEqual(3);
  });
});

function hasJq(): boolean {
  return spawnSync('jq', ['--version']).status === 0;
}

function shellBlocks(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** Serves on a free port, on the store that the commands use. */
async function serve(env: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [cli, 'serve', '--port', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const found = await new Promise<{ address: string; key: string }>((fulfil, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
      const [, key] = /API key, shown only now: (\S+)/.exec(said) ?? [];
      const [, address] = /listening on (http:\S+)/.exec(said) ?? [];
      if (key !== undefined && address !== undefined) fulfil({ address, key });
    });
    child.on('close', () => reject(new Error(`the server ended: ${said}`)));
  });
  const closed = new Promise<void>((fulfil) => child.on('close', () => fulfil()));
  return {
    ...found,
    stop: () => {
      child.kill('SIGTERM');
      return closed;
    },
  };
}
