import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ApiError, type Client, type ClientOptions, createClient } from '../../src/client.ts';
import { type HttpListener, listen } from '../../src/rest/server/listen.ts';
import { owner } from '../support/engine.ts';
import { type Fault, startFaultyProxy } from '../support/faulty-proxy.ts';
import { keyOf, type Served, serveRest } from '../support/rest-target.ts';
import { allOf } from './support.ts';

const unknownId = '0190a0a0-0000-7000-8000-000000000000';

let served: Served;
let server: HttpListener;
let api_key: string;
let client: Client;

beforeAll(async () => {
  served = await serveRest();
  server = await listen(served.app.fetch, { host: '127.0.0.1', port: 0 });
  api_key = await keyOf(served, owner);
  client = open();
});

afterAll(async () => {
  await server.close();
  await served.engine.stop();
});

function open(options: Partial<ClientOptions> = {}): Client {
  return createClient({ base_url: server.url, api_key, ...options });
}

describe('a client', () => {
  it('waits for what a server works on', async () => {
    const messages = [{ role: 'user', content: 'My sister Ilona plays the cello.' }];

    const { status, event_id } = await client.addMemory({ user_id: 'grace', messages });
    const event = await client.waitForEvent(event_id);
    const { results } = await client.searchMemories({ query: 'cello', user_id: 'grace' });

    expect(status).toBe('PENDING');
    expect(event.status).toBe('SUCCEEDED');
    expect(results).toMatchObject([{ memory: "User's sister Ilona plays the cello." }]);
  });

  it('goes through the pages of a list', async () => {
    for (const text of ['one', 'two', 'three']) await client.addMemory({ text, user_id: 'pages' });

    const all = await allOf(client.getMemories({ user_id: 'pages', page_size: 2 }));

    expect(all.map(({ memory }) => memory)).toEqual(['three', 'two', 'one']);
  });

  it('throws what the server refuses, with its code and its fields', async () => {
    const memory_id = unknownId;

    const missing = await client.getMemory({ memory_id }).catch((error: unknown) => error);
    const wrong = await client.getMemory({ memory_id: 'x' }).catch((error: unknown) => error);

    expect(missing).toBeInstanceOf(ApiError);
    expect(missing).toMatchObject({ code: 'not_found' });
    expect(wrong).toMatchObject({ code: 'invalid', fields: { memory_id: [expect.any(String)] } });
  });

  it('throws unauthorized for a key that is unknown', async () => {
    const stranger = open({ api_key: 'mk_unknown' });

    await expect(stranger.ping()).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('asks for a key when it needs one, and for another when it is refused', async () => {
    const asked: (string | null)[] = [];
    const asking = open({
      api_key: async (refused) => {
        asked.push(refused);
        return refused === null && asked.length === 1 ? 'mk_outdated' : api_key;
      },
    });

    expect(await asking.ping()).toMatchObject({ status: 'ok' });
    expect(asked).toContain('mk_outdated');
  });

  it('goes to the project that it is made for, unless a call names another', async () => {
    const { own, sibling } = served.engine.projects;
    const elsewhere = open({ org_id: sibling.org_id, project_id: sibling.project_id });

    await elsewhere.addMemory({ text: 'next door', user_id: 'places' });

    const { project_id } = own;
    expect((await elsewhere.getMemories({ user_id: 'places' })).total).toBe(1);
    expect((await elsewhere.getMemories({ user_id: 'places', project_id })).total).toBe(0);
    expect((await client.getMemories({ user_id: 'places' })).total).toBe(0);
  });

  it('sends through the fetch that it is given', async () => {
    const paths: string[] = [];
    const watched = open({
      fetch: (input, init) => {
        paths.push(new URL(String(input)).pathname);
        return fetch(input, init);
      },
    });

    await watched.ping();

    expect(paths).toEqual(['/v1/ping/']);
  });

  it('ends with the signal of a call', async () => {
    const hanging = open({ fetch: untilAborted });
    const ending = new AbortController();

    const call = hanging.ping({}, { signal: ending.signal });
    ending.abort(new Error('the user left'));

    await expect(call).rejects.toThrow('the user left');
  });

  it('gives up when its time is over', async () => {
    const hanging = open({ fetch: untilAborted, timeout_ms: 50 });

    await expect(hanging.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(hanging.waitForEvent(unknownId, { timeout_ms: 20 })).rejects.toThrow(
      'after 20 ms',
    );
  });

  it('says that nobody answers', async () => {
    const lost = open({ base_url: 'http://127.0.0.1:9', tries_max: 1 });

    await expect(lost.ping()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('on a bad connection', () => {
  /** A client whose requests meet these faults, in turn. */
  async function openBehind(faults: readonly Fault[], options: Partial<ClientOptions> = {}) {
    const proxy = await startFaultyProxy({ url: server.url, isMneme: true }, faults);
    onTestFinished(() => proxy.stop());
    return { proxy, client: open({ base_url: proxy.url, ...options }) };
  }

  it.each<Fault>([
    'reset before',
    'reset after',
    'cut off after',
    'a limit',
    'a page of 502 before',
    'a page of 502 after',
  ])('a write is carried out once, after: %s', async (fault) => {
    const user_id = `fault ${fault}`;
    const { client: behind } = await openBehind([fault]);

    const { results } = await behind.addMemory({ user_id, text: 'Likes tea' });
    const { total } = await client.getMemories({ user_id });

    expect(results).toMatchObject([{ event: 'ADD' }]);
    expect(total).toBe(1);
  });

  it.each<[Fault, number, RegExp]>([
    ['silence', 1000, /gave no answer within 1000 ms/],
    ['bytes now and then after', 1000, /gave no answer within 1000 ms/],
    ['half of the JSON after', 30_000, /a body that is not JSON/],
  ])('a write that is left open says so, after: %s', async (fault, timeout_ms, message) => {
    const { client: behind, proxy } = await openBehind([fault], { timeout_ms });

    const refused = behind.addMemory({ user_id: `open ${fault}`, text: 'Likes tea' });

    await expect(refused).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
      next: expect.stringContaining('check what is stored'),
    });
    expect(proxy.requests).toHaveLength(1);
  });
});

describe('its options', () => {
  const base_url = 'http://127.0.0.1:8787';

  it.each([
    [{ api_key: 'k' }, 'base_url: must be a text'],
    [{ base_url: 'localhost:8787', api_key: 'k' }, 'base_url: must start with https:// or http://'],
    [{ base_url }, 'api_key: must be a key, or a function that returns one'],
    [{ base_url, api_key: '' }, 'api_key: must be a key, or a function that returns one'],
    [{ base_url, apiKey: 'k' }, 'apiKey: is not an option. Did you mean "api_key"?'],
    [{ base_url, api_key: 'k', project_id: 7 }, 'project_id: must be an id'],
    [{ base_url, api_key: 'k', timeout_ms: 0 }, 'timeout_ms: must be a number of milliseconds'],
    [{ base_url, api_key: 'k', tries_max: Number.NaN }, 'tries_max: must be a number above 0'],
    [{ base_url, api_key: 'k', fetch: 'fetch' }, 'fetch: must be a function'],
  ])('are checked at once: %j', (options, problem) => {
    expect(() => createClient(options as unknown as ClientOptions)).toThrow(problem);
  });
});

/** A server that never answers. */
const untilAborted: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    const stop = () => reject(init?.signal?.reason);
    if (init?.signal?.aborted) stop();
    else init?.signal?.addEventListener('abort', stop);
  });
