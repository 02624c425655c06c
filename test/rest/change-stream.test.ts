import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Caller, contract } from '../../src/contract.ts';
import { createCheckAccess } from '../../src/core/invoke.ts';
import { createRestApp, type RestOptions } from '../../src/rest/app.ts';
import { listen } from '../../src/rest/server/listen.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { goodKey, optionsFor, scripted } from './support.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const times = { poll_ms: 5, heartbeat_ms: 10_000, readmit_ms: 10, stall_ms: 10_000 };
const path = '/v1/changes/';

/** A real engine behind a real server, whose streams look often. */
async function serve(changes: Partial<RestOptions> = {}, engine?: Engine) {
  const own = engine ?? (await startEngine());
  if (engine === undefined) closing.push(() => own.stop());
  const options = optionsFor(own.invoke, {
    authenticate: async (token) =>
      token === goodKey ? { caller: owner, key_id: 'key-1', rate_key: 'key-1' } : null,
    checkAccess: createCheckAccess(own),
    storeVersion: own.store.version,
    streams: times,
    ...changes,
  });
  const server = await listen(createRestApp(options).fetch, { host: '127.0.0.1', port: 0 });
  closing.push(() => server.close());
  const add = (text: string, more = {}) => {
    const input = { text, user_id: 'alice', async_mode: false, ...more };
    return own.invoke('add_memory', input, { caller: owner });
  };
  return { engine: own, url: server.url, server, add };
}

type StreamOptions = { query?: string; headers?: Record<string, string> };

/** Opens a stream and reads it until something is there. */
async function follow(url: string, { query = '', headers = {} }: StreamOptions = {}) {
  const leaving = new AbortController();
  const response = await fetch(`${url}${path}${query}`, {
    signal: leaving.signal,
    headers: { Authorization: `Token ${goodKey}`, Accept: 'text/event-stream', ...headers },
  });
  let text = '';
  let isOver = false;
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
  })();
  const over = reading
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  closing.push(async () => {
    leaving.abort();
    await over;
  });
  return {
    response,
    leave: () => leaving.abort(),
    events: () => eventsOf(text),
    text: () => text,
    isOver: () => isOver,
  };
}

type StreamEvent = { id: string; event: string; data: Record<string, unknown> | null };

function eventsOf(text: string): StreamEvent[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.map((block) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
    const data = field('data');
    return {
      id: field('id') ?? '',
      event: field('event') ?? '',
      data: data === undefined ? null : JSON.parse(data),
    };
  });
}

type Followed = Awaited<ReturnType<typeof follow>>;

function memoriesOf(stream: Followed) {
  return stream.events().flatMap(({ event, data }) => (event === 'change' ? [data?.memory] : []));
}

describe('a stream of changes', () => {
  it('begins now, and shows each change as it comes', async () => {
    const { url, add } = await serve();
    await add('Before');
    const stream = await follow(url);

    await add('One');
    await add('Two', { user_id: 'bob' });

    await eventually(() => expect(memoriesOf(stream)).toEqual(['One', 'Two']));
    expect(stream.response.headers.get('Content-Type')).toBe('text/event-stream');
    expect(stream.text()).toMatch(/^retry: \d+\nid: \S+\n\n/);
    const [, change] = stream.events();
    expect(change?.data).toMatchObject({ event: 'ADD', user_id: 'alice', old_memory: null });
  });

  it('goes on after the event that was read last', async () => {
    const { url, add } = await serve();
    const first = await follow(url);
    await add('One');
    await eventually(() => expect(memoriesOf(first)).toEqual(['One']));
    first.leave();
    await add('Two');

    const id = first.events().find(({ event }) => event === 'change')?.id ?? '';
    const again = await follow(url, { query: '?after=now', headers: { 'Last-Event-ID': id } });

    await eventually(() => expect(memoriesOf(again)).toEqual(['Two']));
  });

  it('begins after the cursor of the address, with more than one page', async () => {
    const { url, add, engine } = await serve();
    const { cursor } = await engine.invoke('list_changes', { after: 'now' }, { caller: owner });
    for (const text of ['One', 'Two', 'Three']) await add(text);

    const stream = await follow(url, { query: `?after=${cursor}&limit=1` });

    await eventually(() => expect(memoriesOf(stream)).toEqual(['One', 'Two', 'Three']));
  });

  it('shows the changes of the entity that it names', async () => {
    const { url, add } = await serve();
    const stream = await follow(url, { query: '?user_id=bob' });

    await add('One');
    await add('Two', { user_id: 'bob' });

    await eventually(() => expect(memoriesOf(stream)).toEqual(['Two']));
  });

  it('shows what another process has stored in the same file', async () => {
    const { url, engine } = await serve();
    const other = await startEngine({ data_dir: engine.data_dir });
    closing.push(async () => {
      await other.worker.stop();
      await other.store.close();
    });
    const stream = await follow(url);

    const input = { text: 'From elsewhere', user_id: 'alice', async_mode: false };
    await other.invoke('add_memory', input, { caller: owner });

    await eventually(() => expect(memoriesOf(stream)).toEqual(['From elsewhere']));
  });

  it('shows that it lives while nothing happens', async () => {
    const { url } = await serve({ streams: { ...times, heartbeat_ms: 5 } });
    const stream = await follow(url);

    await eventually(() => expect(stream.events().length).toBeGreaterThan(3));
    expect(memoriesOf(stream)).toEqual([]);
  });

  it('ends when its key is revoked, and says so', async () => {
    let isRevoked = false;
    const { url } = await serve({
      // Not cached, so that no test waits for the cache.
      now: () => Math.round(performance.now() * 1000),
      authenticate: async () =>
        isRevoked ? null : { caller: owner, key_id: 'key-1', rate_key: 'key-1' },
    });
    const stream = await follow(url);

    isRevoked = true;

    await eventually(() => expect(stream.isOver()).toBe(true));
    expect(stream.events().at(-1)).toMatchObject({
      event: 'end',
      data: { message: 'Invalid API key.' },
    });
  });

  it('ends when its project is deleted', async () => {
    const { url, engine } = await serve();
    const { org_id, project_id } = engine.projects.sibling;
    const stream = await follow(url, { query: `?project_id=${project_id}` });

    await engine.invoke('delete_project', { org_id, project_id }, { caller: owner });

    await eventually(() => expect(stream.isOver()).toBe(true));
    expect(stream.events().at(-1)?.data?.message).toMatch(/not found/);
  });

  it('ends when the server shuts down', async () => {
    let draining = false;
    const { url } = await serve({ draining: () => draining });
    const stream = await follow(url);

    draining = true;

    await eventually(() => expect(stream.isOver()).toBe(true));
    expect(stream.events().at(-1)?.data?.message).toMatch(/shutting down/);
  });

  it('of a reader that stops reading looks no further, and is cut', async () => {
    const result = { cursor: 'MSAx', memory: 'so it goes '.repeat(100_000) };
    const page = { results: [result], cursor: 'MSAx', has_more: true };
    const { invoke, calls } = scripted({ list_changes: () => page });
    const { url } = await serve({ invoke, streams: { ...times, stall_ms: 100 } });
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname).on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${goodKey}\r\n`;
    socket.write(`${head}Accept: text/event-stream\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));

    socket.pause();
    // Without reading, it learns of the cut when it writes; a line break asks for nothing.
    const writing = setInterval(() => socket.write('\r\n'), 10);
    await closed;
    clearInterval(writing);

    expect(calls.length).toBeLessThan(100);
  });

  it('is one of a limited number for each key', async () => {
    const { url } = await serve();
    const streams = [];
    for (let opened = 0; opened < 20; opened += 1) streams.push(await follow(url));

    const refused = await follow(url);
    streams[0]?.leave();

    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get('Retry-After')).toBe('5');
    await eventually(async () => expect((await follow(url)).response.status).toBe(200));
  });
});

describe('a stream of changes is refused', () => {
  it.each([
    ['without a key', {}, { Authorization: '' }, 401],
    ['with a wrong cursor', { query: '?after=yesterday' }, {}, 400],
    ['with a wrong Last-Event-ID', {}, { 'Last-Event-ID': 'yesterday' }, 400],
    ['for an unknown project', { query: '?project_id=unknown' }, {}, 404],
  ])('%s', async (_, options, headers, status) => {
    const { url } = await serve();

    const { response } = await follow(url, { ...options, headers });

    expect(response.status).toBe(status);
    expect(response.headers.get('Content-Type')).toContain('application/json');
  });

  it('for a project that the key does not reach, as if there was none', async () => {
    const engine = await startEngine();
    closing.push(() => engine.stop());
    const { project_id } = engine.projects.own;
    const caller: Caller = { ...owner, project_id, bound_to: 'project' };
    const key = { caller, key_id: 'key-1', rate_key: 'key-1' };
    const { url } = await serve({ authenticate: async () => key }, engine);

    const query = `?project_id=${engine.projects.foreign.project_id}`;
    const { response } = await follow(url, { query });

    expect(response.status).toBe(404);
  });
});

it('only routes that can go on stream', async () => {
  const { url } = await serve();

  const response = await fetch(`${url}/v1/memories/events/`, {
    headers: { Authorization: `Token ${goodKey}`, Accept: 'text/event-stream' },
  });

  expect(response.headers.get('Content-Type')).toContain('application/json');
  expect(contract.list_changes.streams).toBe(true);
});
