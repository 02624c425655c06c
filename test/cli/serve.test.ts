import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Served, serve } from './serve-support.ts';
import { runIn, temporaryFolder } from './support.ts';

function keyIn(stderr: string): string | undefined {
  return /\b(mk_\w+)/.exec(stderr)?.[1];
}

async function ping({ url }: Served, key: string | undefined): Promise<number> {
  return (await fetch(`${url}/v1/ping/`, { headers: { Authorization: `Token ${key}` } })).status;
}

const key = 'k'.repeat(32);

describe('mneme serve', () => {
  it('refuses to start with a key that could be guessed, and names the option', async () => {
    const env = { MNEME_BOOTSTRAP_KEY: 'changeme', MNEME_PORT: '0' };

    const { code, stderr } = await runIn(temporaryFolder())(['serve'], { env });

    expect(code).toBe(2);
    expect(stderr).toContain('MNEME_BOOTSTRAP_KEY: must have at least 32 characters');
    expect(stderr).toContain('openssl rand -hex 32');
    expect(stderr).not.toContain('changeme');
  });

  it('makes one key at its first start, shows it once, and takes it', async () => {
    const home = temporaryFolder();

    const first = await serve(home);
    const key = keyIn(first.stderr());
    expect(key).toMatch(/^mk_\w{43}$/);
    expect(await ping(first, key)).toBe(200);
    expect(await ping(first, 'mk_other')).toBe(401);
    expect(await first.end()).toBe(0);
    expect(first.stdout()).toBe('');

    const second = await serve(home);
    expect(keyIn(second.stderr())).toBeUndefined();
    expect(second.stderr()).toContain('mneme keys create makes another one');
    expect(first.stderr()).not.toContain('mneme keys create');
    expect(await ping(second, key)).toBe(200);
  });

  it('shows no key, and keeps none, when its port is taken', async () => {
    const other = await serve(temporaryFolder());
    const port = new URL(other.url).port;
    const home = temporaryFolder();

    const refused = await runIn(home)(['serve', '--port', port]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('already listening');
    expect(keyIn(refused.stderr)).toBeUndefined();

    const next = await serve(home);
    expect(await ping(next, keyIn(next.stderr()))).toBe(200);
  });

  it('takes the key that its configuration sets, and never shows it', async () => {
    const server = await serve(temporaryFolder(), {
      MNEME_BOOTSTRAP_KEY: 'set-by-compose-0123456789abcdefgh',
    });

    expect(await ping(server, 'set-by-compose-0123456789abcdefgh')).toBe(200);
    expect(server.stderr()).not.toContain('set-by-compose-0123456789abcdefgh');
    expect(server.stderr()).not.toContain('mneme keys create');
    expect(keyIn(server.stderr())).toBeUndefined();
  });

  it('remembers over its end, and ends with 0 on either signal', async () => {
    const home = temporaryFolder();
    const env = { MNEME_BOOTSTRAP_KEY: key };
    const headers = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' };
    const first = await serve(home, env);
    const body = JSON.stringify({ messages: 'I like tea', user_id: 'alice', infer: false });

    const added = await fetch(`${first.url}/v1/memories/`, { method: 'POST', headers, body });
    expect(added.status).toBe(200);
    expect(await first.end('SIGINT')).toBe(0);

    const second = await serve(home, env);
    const found = await fetch(`${second.url}/v1/memories/?user_id=alice`, { headers });
    expect(await found.json()).toMatchObject([{ memory: 'I like tea' }]);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('answers a request in progress before it ends', async () => {
    const server = await serve(temporaryFolder(), { MNEME_BOOTSTRAP_KEY: key });
    const headers = { Authorization: `Token ${key}`, 'Content-Type': 'application/json' };
    const text = 'The bike is in the cellar. '.repeat(500);
    const body = JSON.stringify({ messages: text, user_id: 'alice', async_mode: false });

    const adding = fetch(`${server.url}/v1/memories/`, { method: 'POST', headers, body });
    await eventually(async () => {
      const events = await fetch(`${server.url}/v1/events/`, { headers });
      expect(await events.json()).toMatchObject({ results: [{ event_type: 'ADD' }] });
    });
    const code = await server.end();

    expect((await adding).status).toBe(200);
    expect(code).toBe(0);
  });

  it('writes a line for each request, unless it is told not to', async () => {
    const loud = await serve(temporaryFolder());
    const quiet = await serve(temporaryFolder(), {}, ['--no-request-log']);

    await Promise.all([ping(loud, 'x'), ping(quiet, 'x')]);
    await Promise.all([loud.end(), quiet.end()]);

    expect(loud.stderr()).toMatch(/"message":"request".*"operation":"ping","status":401/);
    expect(quiet.stderr()).not.toContain('"operation"');
  });

  it('says when the port is taken, and ends', async () => {
    const home = temporaryFolder();
    const { url } = await serve(home);

    const second = serve(temporaryFolder(), {}, ['--port', new URL(url).port]);

    await expect(second).rejects.toThrow(/ended with 1: .*already listening/s);
  });

  it('serves its reference page from the package', async () => {
    const { url } = await serve(temporaryFolder());

    const page = await (await fetch(`${url}/docs`)).text();
    const files = [...page.matchAll(/(?:src|href)="(\/docs\/[\w.]+)"/g)].map(([, path]) => path);
    const statuses = await Promise.all(files.map(async (path) => (await fetch(url + path)).status));

    expect(files).toHaveLength(2);
    expect(statuses).toEqual([200, 200]);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('process_cpu_seconds_total');
  });
});
