import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { type Served, serveUntilEnd } from './serve-support.ts';
import { type RunOptions, runIn, temporaryFolder } from './support.ts';

const far = temporaryFolder();
const home = temporaryFolder();
const api_key = 'mk_0123456789abcdefghijABCDEFGHIJ0123456789abc';

/** A reserved port that servers do not listen on. */
const nobody = 'http://127.0.0.1:49';

/** A service that these commands stand in front of. */
let service: Served;
let remote: Record<string, string>;

beforeAll(async () => {
  service = await serveUntilEnd(far, { MNEME_BOOTSTRAP_KEY: api_key });
  remote = { MNEME_BASE_URL: service.url, MNEME_API_KEY: api_key, MNEME_USER_ID: 'ada' };
  await run(['add', 'Ada keeps bees']);
});
afterAll(async () => void (await service.end()));

async function run(args: readonly string[], { env, ...options }: RunOptions = {}) {
  const all = { ...remote, ...env };
  const set = Object.entries(all).filter(([, value]) => value !== '');
  return runIn(home)(args, { ...options, env: Object.fromEntries(set) });
}

/** Everything below the home folder but what is compiled there. */
function written(): string[] {
  const paths = readdirSync(home, { recursive: true }).map(String);
  return paths.filter((path) => path.endsWith('.db'));
}

describe('commands in front of a remote', () => {
  it('store and find there, and nothing here', async () => {
    const remembered = await run(['add', 'Ada has a goat']);
    const recalled = await run(['search', 'goat']);
    const called = await run(['call', 'search_memories', '--query', 'goat']);

    expect(remembered).toMatchObject({ code: 0, stdout: expect.stringContaining('stored') });
    expect(recalled).toMatchObject({ code: 0, stdout: expect.stringContaining('a goat') });
    expect(JSON.parse(called.stdout).results).toMatchObject([{ user_id: 'ada' }]);
    expect(written()).toEqual([]);
  });

  it('list its webhooks and deliveries', async () => {
    const url = 'https://hooks.example.com/a';
    const made = await run(['call', 'create_webhook', '--url', url, '--name', 'far']);
    const { webhook_id } = JSON.parse(made.stdout);

    const listed = await run(['webhooks', 'list']);
    const delivered = await run(['webhooks', 'deliveries', webhook_id]);
    await run(['call', 'delete_webhook', '--webhook-id', webhook_id]);

    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(url) });
    expect(delivered).toMatchObject({ code: 0, stdout: expect.stringContaining('No deliveries.') });
  });

  it.each([
    ['serve', []],
    ['export', ['x.jsonl']],
    ['import', ['x.jsonl']],
    ['backup', ['x.backup']],
    ['restore', ['x.backup']],
    ['keys', ['list']],
    ['keys', ['create']],
    ['keys', ['revoke', 'id']],
  ])('that need the store itself, as %s, refuse: %j', async (command, args) => {
    const { code, stderr } = await run([command, ...args]);

    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`mneme ${command} .*base_url`));
    expect(stderr).toContain('MNEME_BASE_URL');
    expect(written()).toEqual([]);
  });

  it('show the address and not the key', async () => {
    const { stdout } = await run(['config']);

    expect(stdout).toContain(service.url);
    expect(stdout).not.toContain(api_key);
  });

  it('refuse to write where the configuration is read-only', async () => {
    const { code, stderr } = await run(['add', 'x', '--read-only']);

    expect(code).toBe(4);
    expect(stderr).toContain('read-only');
  });

  it.each([
    ['a key that is not valid', { MNEME_API_KEY: 'mk_other' }, 4, 'key'],
    ['no key', { MNEME_API_KEY: '' }, 4, 'base_url is set, but api_key is not'],
    ['a port where nobody is', { MNEME_BASE_URL: nobody }, 1, 'refused'],
    ['a project that is unknown', { MNEME_PROJECT_ID: 'none' }, 3, 'not found'],
  ])('end with the reason: %s', async (_, env, exit, words) => {
    const { code, stdout, stderr } = await run(['search', 'bees'], { env });

    expect({ code, stdout }).toEqual({ code: exit, stdout: '' });
    expect(stderr).toContain(words);
  });

  it('may not be sent elsewhere by a file of the working folder', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'mneme.config.json'), JSON.stringify({ base_url: nobody }));

    const { code, stderr } = await run(['search', 'bees'], { cwd: folder });

    expect(code).toBe(2);
    expect(stderr).toContain('base_url');
  });
});

describe('the key command', () => {
  const program = (body: string) => `"${process.execPath}" -e "${body}"`;

  it('says the key, in the shell', async () => {
    const env = { MNEME_API_KEY: '', MNEME_API_KEY_COMMAND: program(`console.log('${api_key}')`) };

    expect(await run(['search', 'bees'], { env })).toMatchObject({ code: 0, stderr: '' });
  });

  it('says it without a shell where it is a list', async () => {
    const file = join(home, 'list.json');
    const api_key_command = [process.execPath, '-e', `process.stdout.write('${api_key}')`];
    writeFileSync(file, JSON.stringify({ api_key_command }));

    const found = await run(['search', 'bees', '--config', file], { env: { MNEME_API_KEY: '' } });

    expect(found).toMatchObject({ code: 0, stderr: '' });
  });

  it('is not run where a key is set', async () => {
    const env = { MNEME_API_KEY_COMMAND: program('process.exit(3)') };

    expect(await run(['search', 'bees'], { env })).toMatchObject({ code: 0 });
  });

  it('is asked once more when its key is refused', async () => {
    const count = join(home, 'asked');
    const body = `fs.appendFileSync('${count}', '.');
      console.log(fs.statSync('${count}').size > 1 ? '${api_key}' : 'mk_stale')`;
    const env = { MNEME_API_KEY: '', MNEME_API_KEY_COMMAND: program(body.replace(/\n\s+/, ' ')) };

    expect(await run(['search', 'bees'], { env })).toMatchObject({ code: 0 });
  });

  it.each([
    ['fails', program('process.exit(3)'), 'its exit code is 3'],
    ['is silent', program('0'), 'it printed nothing'],
    ['prints more than a key', program("console.log('two words')"), 'api_key: '],
  ])('that %s is named, and what it printed is not', async (_, command, words) => {
    const env = { MNEME_API_KEY: '', MNEME_API_KEY_COMMAND: command };

    const { code, stderr } = await run(['search', 'bees'], { env });

    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('two words');
  });

  it('that does not exist is named', async () => {
    const file = join(home, 'missing.json');
    writeFileSync(file, '{ "api_key_command": ["no-such-program-here"] }');

    const { stderr } = await run(['search', 'x', '--config', file], { env: { MNEME_API_KEY: '' } });

    expect(stderr).toContain('api_key_command');
  });
});

describe('the way to the remote', () => {
  it('leads through the proxy of the environment', async () => {
    const { url, seen } = await startProxy();
    const { port } = new URL(service.url);
    const env = { MNEME_BASE_URL: `http://memory.test:${port}`, HTTP_PROXY: url };

    const { code, stdout, stderr } = await run(['search', 'bees'], { env });

    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('bees') });
    expect(seen).toContain(`memory.test:${port}`);
    expect(stderr).toContain('unencrypted');
  });

  it('does not when it stays on this machine', async () => {
    const { url, seen } = await startProxy();

    expect(await run(['search', 'bees'], { env: { HTTP_PROXY: url } })).toMatchObject({ code: 0 });
    expect(seen).toEqual([]);
  });

  it('may fail for a moment', async () => {
    const faults = ['a page of 502 before', 'reset before', 'a limit'] as const;
    const proxy = await startFaultyProxy({ url: service.url, isMneme: true }, faults);
    onTestFinished(() => proxy.stop());

    const { code, stderr } = await run(['search', 'bees'], { env: { MNEME_BASE_URL: proxy.url } });

    expect(code).toBe(0);
    expect(stderr.match(/retrying/g)).toHaveLength(3);
  });
});

/** A proxy that takes every host for this machine. */
async function startProxy(): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((asked, answer) => {
    const { host, port, pathname, search } = new URL(asked.url ?? '');
    seen.push(host);
    const { method, headers } = asked;
    const path = pathname + search;
    const passed = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    asked.pipe(passed);
  });
  server.on('connect', ({ url = '' }, socket) => {
    seen.push(url);
    const upstream = connect(Number(url.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => upstream.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return { url: `http://127.0.0.1:${port}`, seen };
}
