import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { id } from './sample-outputs.ts';
import { bodyOf, clientOf, goodKey } from './support.ts';

const path = `/v1/memories/${id}/`;
const script = { get_memory: () => ({ id }) };
const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

describe('health', () => {
  it('is open to all', async () => {
    const { app } = clientOf({});

    expect((await app.request('/healthz')).status).toBe(200);
    expect((await app.request('/readyz')).status).toBe(200);
  });

  it('is not ready while the store does not answer', async () => {
    const broken = async () => {
      throw new Error('no store');
    };

    for (const ready of [async () => 'away' as const, broken]) {
      const answer = await clientOf({}, { ready }).app.request('/readyz');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/);
    }
  });

  it('is not ready, and says why, while it uses a file that was replaced', async () => {
    const { app } = clientOf({}, { ready: async () => 'replaced' });

    const answer = await app.request('/readyz');

    expect(answer.status).toBe(503);
    expect(await bodyOf(answer)).toMatchObject({
      message: expect.stringContaining("the store's file was removed or replaced"),
    });
  });

  it('ends before the server does: it is alive, not ready, and takes no requests', async () => {
    const { app, send, calls } = clientOf(script, { accepting: () => false });

    const refused = await send('GET', path);

    expect((await app.request('/healthz')).status).toBe(200);
    expect((await app.request('/readyz')).status).toBe(503);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('Connection')).toBe('close');
    expect(refused.headers.get('Retry-After')).toMatch(/^\d+$/);
    expect(calls).toEqual([]);
  });

  it('goes on answering while it retires, and is not ready', async () => {
    const { app, send } = clientOf(script, { draining: () => true });

    expect((await app.request('/readyz')).status).toBe(503);
    expect((await app.request('/healthz')).status).toBe(200);
    expect((await send('GET', path)).status).toBe(200);
  });
});

describe('/metrics', () => {
  it('counts and times requests by operation, and shows the queue', async () => {
    const { app, send } = clientOf(script, { metrics: { queue_depth: async () => 42 } });
    await send('GET', path);
    await send('GET', path, { headers: { Authorization: 'Token mk_bad' } });
    await send('GET', '/nowhere');

    const answer = await app.request('/metrics', {}, from('127.0.0.1'));

    const text = await answer.text();
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toContain('mneme_http_requests_total{operation="get_memory",status="200"} 1');
    expect(text).toContain('mneme_http_requests_total{operation="get_memory",status="401"} 1');
    expect(text).toContain('mneme_http_requests_total{operation="none",status="404"} 1');
    expect(text).toContain('mneme_http_request_duration_seconds_count{operation="get_memory"} 2');
    expect(text).toContain('mneme_queue_depth 42');
    expect(text).not.toContain(id);
  });

  it('measures the process where that is asked for', async () => {
    const { app } = clientOf({}, { metrics: { process: true } });

    const text = await (await app.request('/metrics', {}, from('::1'))).text();

    expect(text).toContain('process_resident_memory_bytes');
  });

  it('tell how long the event loop was held since they were last read', async () => {
    const { app } = clientOf({}, { metrics: { process: true } });
    // What is measured are times between two looks at the loop, which this counts as well.
    const monitor = monitorEventLoopDelay({ resolution: 10 });
    monitor.enable();
    const looks = () => {
      monitor.reset();
      return eventually(() => expect(monitor.count).toBeGreaterThan(1));
    };
    const delay = async () => {
      await looks();
      const text = await (await app.request('/metrics', {}, from('::1'))).text();
      return Number(/^mneme_event_loop_delay_seconds (\S+)$/m.exec(text)?.[1]);
    };
    await delay();
    await looks();

    const end = performance.now() + 400;
    while (performance.now() < end);

    expect(await delay()).toBeGreaterThan(0.3);
    expect(await delay()).toBeLessThan(0.3);
    monitor.disable();
  });

  it('is shown to this machine only, unless it is made public', async () => {
    const status = async (env: object, headers = {}, metrics_public = false) =>
      (await clientOf({}, { metrics_public }).app.request('/metrics', { headers }, env)).status;

    expect(await status(from('::ffff:127.0.0.1'))).toBe(200);
    expect(await status(from('10.0.0.7'))).toBe(403);
    expect(await status({})).toBe(403);
    expect(await status(from('127.0.0.1'), { 'X-Forwarded-For': '10.0.0.7' })).toBe(403);
    expect(await status(from('::1'), { Host: '[::1]:8765' })).toBe(200);
    expect(await status(from('127.0.0.1'), { Host: 'LOCALHOST:8765' })).toBe(200);
    // A web page whose own name leads to this machine.
    expect(await status(from('127.0.0.1'), { Host: 'rebound.example' })).toBe(403);
    expect(await status(from('127.0.0.1'), { Host: '127.0.0.1.example' })).toBe(403);
    expect(await status(from('10.0.0.7'), {}, true)).toBe(200);
  });
});

describe('/docs', () => {
  it('is where the bare address leads a program, and a browser to the dashboard', async () => {
    const { app } = clientOf({});

    const [program, browser] = await Promise.all([
      app.request('/'),
      app.request('/', { headers: { Accept: 'text/html,*/*;q=0.8' } }),
    ]);

    expect([program.status, program.headers.get('Location')]).toEqual([302, '/docs']);
    expect([browser.status, browser.headers.get('Location')]).toEqual([302, '/dashboard']);
  });

  it('names no other host but in examples, and its policy allows nothing unsafe', async () => {
    const answer = await clientOf({}).app.request('/docs');

    const html = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
    const policy = answer.headers.get('Content-Security-Policy') ?? '';
    expect(html).not.toMatch(/(?:src|href)="(?:https?:|\/\/)/);
    expect(html).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle="|\son\w+="/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("style-src 'self';");
    expect(policy).not.toMatch(/http|unsafe/);
  });

  it('takes at most 80 kB, compressed', async () => {
    const answer = await clientOf({}).app.request('/docs');

    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(80_000);
  });
});

describe('every answer', () => {
  it.each([path, '/nowhere', '/healthz', '/openapi.json', '/v1/ping/'])(
    'of %s carries a request id',
    async (at) => {
      const answer = await clientOf(script).app.request(at);

      expect(answer.headers.get('X-Request-ID')).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('repeats a sane id of the caller and replaces others', async () => {
    const { send } = clientOf(script);
    const idOf = async (given: string) =>
      (await send('GET', path, { headers: { 'X-Request-ID': given } })).headers.get('X-Request-ID');

    expect(await idOf('trace-7/a.b:c')).toBe('trace-7/a.b:c');
    expect(await idOf('two words')).not.toBe('two words');
    expect(await idOf('x'.repeat(200))).toHaveLength(36);
  });
});

describe('the log of requests', () => {
  it('has what an operator needs and nothing of the caller’s', async () => {
    const lines: unknown[] = [];
    const log = (...line: unknown[]) => lines.push(line);
    const { send } = clientOf(
      { get_memories: () => ({ results: [] }) },
      {
        request_log: true,
        log,
      },
    );

    await send('GET', '/v1/memories/user/alice@example.com/?page=1', {
      headers: { 'X-Request-ID': 'trace-7' },
    });

    expect(lines).toEqual([
      [
        'info',
        'request',
        {
          request_id: 'trace-7',
          method: 'GET',
          operation: 'get_memories',
          status: 200,
          duration_ms: expect.any(Number),
        },
      ],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`alice|${goodKey}`));
  });

  it('has the probes that are answered with a no, and no others', async () => {
    const lines: unknown[] = [];
    const states = ['ready', 'away'] as const;
    let asked = 0;
    const { send } = clientOf(
      {},
      {
        request_log: true,
        ready: async () => states[asked++] ?? 'replaced',
        log: (_level, _text, fields) => lines.push(fields),
      },
    );

    await send('GET', '/healthz');
    await send('GET', '/readyz');
    await send('GET', '/readyz');

    expect(lines).toMatchObject([{ operation: 'readyz', status: 503 }]);
  });
});

describe('web pages of other origins', () => {
  const preflight = (changes: Parameters<typeof clientOf>[1]) =>
    clientOf(script, changes).app.request(path, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization',
      },
    });
  const allowed = (answer: Response) => answer.headers.get('Access-Control-Allow-Origin');

  it('may not call by default', async () => {
    const answer = await preflight({});

    expect(answer.status).toBe(405);
    expect(allowed(answer)).toBeNull();
  });

  it('may call where they are allowed', async () => {
    const cors_origins = ['https://app.example.com'];
    const answer = await preflight({ cors_origins });
    const other = await preflight({ cors_origins: ['https://other.example.com'] });
    const any = await preflight({ cors_origins: ['*'] });

    expect(answer.status).toBe(204);
    expect(allowed(answer)).toBe('https://app.example.com');
    expect(answer.headers.get('Access-Control-Allow-Headers')).toContain('authorization');
    expect(answer.headers.get('X-Request-ID')).not.toBeNull();
    expect(allowed(other)).toBeNull();
    expect(allowed(any)).toBe('*');
  });

  it('can read the answer and its headers, refusals too', async () => {
    const { app } = clientOf(script, { cors_origins: ['https://app.example.com'] });

    const answer = await app.request(path, { headers: { Origin: 'https://app.example.com' } });

    expect(answer.status).toBe(401);
    expect(allowed(answer)).toBe('https://app.example.com');
    expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-ID');
    expect(await bodyOf(answer)).toHaveProperty('detail');
  });
});
