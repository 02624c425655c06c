import { describe, expect, it } from 'vitest';
import { createDeferred } from '../support/deferred.ts';
import {
  connectHttp,
  elicits,
  fetchOn,
  httpOn,
  type Message,
  messageOf,
  messagesOf,
  openSession,
  post,
  toolCall,
} from './http-support.ts';
import { scripted, textOf } from './support.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const memory = { id, memory: 'Likes tea', user_id: 'ada' };
const list = { results: [memory], total: 1, page: 1, page_size: 3 };
const unchanged = { results: [], cursor: 'cursor', has_more: false };
const removal = { message: 'Deleted', deleted: 1, event_id: id };
const deletion = toolCall('delete_all_memories', { user_id: 'ada' });
const day = 24 * 3_600_000;

function reply(question: Message | undefined, confirm = true) {
  return {
    jsonrpc: '2.0',
    id: question?.id,
    result: { action: 'accept', content: { confirm } },
  };
}

describe('a session of the older era', () => {
  const { invoke } = scripted({ get_memory: () => memory });
  const read = toolCall('get_memory', { memory_id: id });

  it('works with the key that it was opened with, and no other', async () => {
    const http = httpOn(invoke);
    const session = await openSession(http, {}, { key_id: 'key-1' });

    const mine = await post(http, read, { session, key_id: 'key-1' });
    const theirs = await post(http, read, { session, key_id: 'key-2' });

    expect(mine.status).toBe(200);
    expect(theirs.status).toBe(404);
    expect((await messageOf(theirs)).error).toEqual({ code: -32001, message: 'Session not found' });
  });

  it('outlives the process, and works on every replica', async () => {
    const session = await openSession(httpOn(invoke));

    const answer = await post(httpOn(invoke), read, { session });

    expect(answer.status).toBe(200);
  });

  it('is unknown on a server with another secret', async () => {
    const session = await openSession(httpOn(invoke, { secret: async () => 'another' }));

    expect((await post(httpOn(invoke), read, { session })).status).toBe(404);
  });

  it.each([
    '',
    'x',
    'a.b',
    'a.b.c',
    `${'A'.repeat(5000)}.1.2`,
    'W10.zzzzzzz.AAAAAAAAAAAAAAAAAAAAAA',
  ])('is refused when its id is made up: %j', async (session) => {
    expect((await post(httpOn(invoke), read, { session })).status).toBe(404);
  });

  it('is refused when something was changed in its id', async () => {
    const http = httpOn(invoke);
    const [said = '', ...rest] = (await openSession(http)).split('.');
    const [nonce, version] = JSON.parse(Buffer.from(said, 'base64url').toString());
    const more = JSON.stringify([nonce, version, elicits]);

    const session = [Buffer.from(more).toString('base64url'), ...rest].join('.');

    expect((await post(http, read, { session })).status).toBe(404);
  });

  it('ends after 30 days', async () => {
    let now = Date.now();
    const http = httpOn(invoke, { now: () => now });
    const session = await openSession(http);

    now += 29 * day;
    const before = await post(http, read, { session });
    now += 2 * day;
    const after = await post(http, read, { session });

    expect([before.status, after.status]).toEqual([200, 404]);
  });

  it('is not needed', async () => {
    expect((await post(httpOn(invoke), read)).status).toBe(200);
  });

  it('has an id of visible characters, also for a client that declares a lot', async () => {
    const much = {
      elicitation: { form: { x: 'y'.repeat(5000) } },
      experimental: { a: { b: 'c' } },
    };

    const session = await openSession(httpOn(invoke), much);

    expect(session).toMatch(/^[\x21-\x7e]{20,300}$/);
    expect((await post(httpOn(invoke), read, { session })).status).toBe(200);
  });

  it('is not given for a handshake that is malformed', async () => {
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} };

    const answer = await post(httpOn(invoke), body);

    expect(answer.headers.get('Mcp-Session-Id')).toBeNull();
    expect((await messageOf(answer)).error).toBeDefined();
  });

  it.each([['GET'], ['DELETE'], ['PUT']])('has no %s: only POST is allowed', async (method) => {
    const answer = await fetchOn(httpOn(invoke))('http://127.0.0.1/mcp', { method });

    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('POST');
  });

  it('refuses a revision that nobody knows', async () => {
    const answer = await post(httpOn(invoke), read, { version: '1999-01-01' });

    expect(answer.status).toBe(400);
    expect((await messageOf(answer)).error?.message).toContain('2025-11-25');
  });

  it('answers an unknown method in band: 404 would mean that the session is gone', async () => {
    const body = { jsonrpc: '2.0', id: 7, method: 'made/up' };

    const answer = await post(httpOn(invoke), body);

    expect(answer.status).toBe(200);
    expect(await messageOf(answer)).toMatchObject({ id: 7, error: { code: -32601 } });
  });

  it('accepts notifications, and answers none', async () => {
    const answer = await post(httpOn(invoke), { jsonrpc: '2.0', method: 'notifications/made_up' });

    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('');
  });

  it.each([['a string'], [7], [null], [{}], [{ jsonrpc: '1.0', id: 1, method: 'ping' }]])(
    'refuses %j as no message',
    async (body) => {
      const answer = await post(httpOn(invoke), body);

      expect(answer.status).toBe(400);
      expect((await messageOf(answer)).error?.code).toBe(-32600);
    },
  );
});

describe('a question to the client', () => {
  const script = {
    get_memories: () => list,
    list_changes: () => unchanged,
    delete_all_memories: () => removal,
  };

  it('finds its way back to the call that asked, however many ask at once', async () => {
    const { invoke, calls } = scripted(script);
    const http = httpOn(invoke);
    const session = await openSession(http, elicits);
    const ask = async (user_id: string) => {
      const call = toolCall('delete_all_memories', { user_id }, user_id);
      const messages = messagesOf(await post(http, call, { session }));
      return { messages, question: (await messages.next()).value as Message };
    };

    const [ada, bob] = await Promise.all([ask('ada'), ask('bob')]);
    const taken = await post(http, reply(bob.question), { session });
    const { value: answer } = await bob.messages.next();
    await post(http, reply(ada.question, false), { session });
    const { value: other } = await ada.messages.next();

    expect(taken.status).toBe(202);
    expect(ada.question.id).not.toBe(bob.question.id);
    expect(answer).toMatchObject({ id: 'bob', result: { structuredContent: { deleted: 1 } } });
    expect(textOf(other?.result ?? {})).toContain('The user did not confirm');
    const deleted = calls.filter(({ name }) => name === 'delete_all_memories');
    expect(deleted.map(({ input }) => input.user_id)).toEqual(['bob']);
  });

  it('takes no reply from another session, nor twice, nor to what nobody asked', async () => {
    const { invoke, calls } = scripted(script);
    const http = httpOn(invoke);
    const session = await openSession(http, elicits);
    const other = await openSession(http, elicits);
    const messages = messagesOf(await post(http, deletion, { session }));
    const question = (await messages.next()).value as Message;

    const foreign = await post(http, reply(question), { session: other });
    const loose = await post(http, reply(question));
    const unknown = await post(http, reply({ id: 'x' }), { session });
    const own = await post(http, reply(question), { session });
    const again = await post(http, reply(question), { session });
    await messages.next();

    expect([foreign, loose, unknown, own, again].map(({ status }) => status)).toEqual([
      400, 400, 400, 202, 400,
    ]);
    expect(calls.filter(({ name }) => name === 'delete_all_memories')).toHaveLength(1);
  });

  it('is not asked of a client that reads no streams: it gets a token', async () => {
    const { invoke } = scripted(script);
    const http = httpOn(invoke);
    const session = await openSession(http, elicits);

    const answer = await post(http, deletion, { session, accept: 'application/json' });

    const { result } = await messageOf(answer);
    expect(result?.structuredContent).toMatchObject({ confirm: expect.any(String) });
  });

  it('is forgotten when its client goes away', async () => {
    const { invoke, calls } = scripted(script);
    const http = httpOn(invoke);
    const session = await openSession(http, elicits);
    const gone = new AbortController();
    const answer = await post(http, deletion, { session, signal: gone.signal });
    const messages = messagesOf(answer);
    const question = (await messages.next()).value as Message;

    gone.abort();
    const late = await post(http, reply(question), { session });

    expect(late.status).toBe(400);
    expect(calls.map(({ name }) => name)).toEqual(['list_changes', 'get_memories']);
  });
});

describe('cancelling', () => {
  function slow() {
    const answer = createDeferred();
    const signals: AbortSignal[] = [];
    const http = httpOn(async (_name, _input, { signal }) => {
      if (signal !== undefined) signals.push(signal);
      await answer.promise;
      return memory as never; // what get_memory answers
    });
    return { http, signals, answer };
  }
  const read = toolCall('get_memory', { memory_id: id }, 'call-1');
  const cancel = {
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId: 'call-1' },
  };

  it('stops a call of the same session', async () => {
    const { http, signals } = slow();
    const session = await openSession(http);
    const call = post(http, read, { session });
    await expect.poll(() => signals.length).toBe(1);

    const accepted = await post(http, cancel, { session });

    expect(accepted.status).toBe(202);
    expect(await (await call).text()).toBe('');
    expect(signals[0]?.aborted).toBe(true);
  });

  it('stops no call of another session, nor of none', async () => {
    const { http, signals, answer } = slow();
    const session = await openSession(http);
    const call = post(http, read, { session });
    await expect.poll(() => signals.length).toBe(1);

    await post(http, cancel, { session: await openSession(http) });
    await post(http, cancel);

    expect(signals[0]?.aborted).toBe(false);
    answer.resolve();
    expect((await messageOf(await call)).result).toBeDefined();
  });

  it.each([['auto'], ['legacy']] as const)('stops a call of a client (%s)', async (mode) => {
    const { http, signals } = slow();
    const client = await connectHttp(http, { mode });
    const stop = new AbortController();

    const options = { signal: stop.signal };
    const call = client.callTool({ name: 'get_memory', arguments: { memory_id: id } }, options);
    await expect.poll(() => signals.length).toBe(1);
    stop.abort();

    await expect(call).rejects.toThrow();
    await expect.poll(() => signals[0]?.aborted).toBe(true);
  });

  it('comes of a client that goes away', async () => {
    const { http, signals } = slow();
    const gone = new AbortController();
    const call = post(http, read, { signal: gone.signal });
    await expect.poll(() => signals.length).toBe(1);

    gone.abort();

    expect(await (await call).text()).toBe('');
    expect(signals[0]?.aborted).toBe(true);
  });
});
