import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { owner } from '../support/engine.ts';
import { type Served, serveRest } from '../support/rest-target.ts';
import * as sample from './sample-outputs.ts';
import { bodyOf, clientOf } from './support.ts';

const ofAlice = { filters: { user_id: 'alice' } };

/** Lists 250 memories; answers the page that is asked for. */
function listing(changes = {}) {
  return clientOf(
    {
      get_memories: ({ page, page_size }) => {
        const at = { total: 250, page: Number(page ?? 1), page_size: Number(page_size ?? 100) };
        const isPast = (at.page - 1) * at.page_size >= at.total;
        return { ...sample.pageOf(sample.memory, at), ...(isPast && { results: [] }) };
      },
    },
    changes,
  );
}

describe('a list', () => {
  it('names its neighbours by absolute addresses, other parameters kept', async () => {
    const { send } = listing();

    const answer = await send('POST', '/v2/memories/?page=2&page_size=100&org_id=o', {
      body: ofAlice,
    });

    expect(await bodyOf(answer)).toMatchObject({
      count: 250,
      next: 'http://localhost/v2/memories/?page=3&page_size=100&org_id=o',
      previous: 'http://localhost/v2/memories/?page=1&page_size=100&org_id=o',
    });
  });

  it('takes page and page_size in the query or in the body', async () => {
    const { send, calls } = listing();

    await send('POST', '/v3/memories/?page=2&page_size=5', { body: ofAlice });
    await send('POST', '/v3/memories/', { body: { ...ofAlice, page: 2, page_size: 5 } });

    expect(calls[0]?.input).toMatchObject({ page: '2', page_size: '5' });
    expect(calls[1]?.input).toMatchObject({ page: 2, page_size: 5 });
  });

  it('ends without a next page', async () => {
    const { send } = listing();

    const last = await bodyOf(send('POST', '/v2/memories/?page=3', { body: ofAlice }));

    expect(last).toMatchObject({ next: null, previous: expect.stringContaining('page=2') });
  });

  it('says in its headers where a bare array goes on', async () => {
    const { send } = listing();

    const answer = await send('GET', '/v1/memories/?user_id=alice&page=2');

    expect(await bodyOf(answer)).toEqual([sample.memory]);
    expect(answer.headers.get('Link')).toBe(
      '<http://localhost/v1/memories/?user_id=alice&page=3&page_size=100>; rel="next", ' +
        '<http://localhost/v1/memories/?user_id=alice&page=1&page_size=100>; rel="prev"',
    );
  });

  it('of v3 answers 404 past its end', async () => {
    const { send } = listing();

    const answer = await send('POST', '/v3/memories/?page=9', { body: ofAlice });

    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).toMatchObject({ detail: 'Invalid page.' });
  });

  it('of changes answers 404 past its end, but for its first page', async () => {
    const { send } = clientOf({
      list_history: ({ page }) => ({ results: [], total: 0, page: Number(page), page_size: 100 }),
    });

    const first = await send('GET', '/v1/memories/events/?page=1');
    const past = await send('GET', '/v1/memories/events/?page=2');

    expect(await bodyOf(first)).toEqual({ count: 0, next: null, previous: null, results: [] });
    expect(past.status).toBe(404);
    expect(await bodyOf(past)).toMatchObject({ detail: 'Invalid page.' });
  });

  it('of v3 has at most 200 items a page', async () => {
    const { send } = listing();

    expect((await send('POST', '/v3/memories/?page_size=200', { body: ofAlice })).status).toBe(200);
    const wide = await send('POST', '/v3/memories/?page_size=201', { body: ofAlice });
    expect(wide.status).toBe(400);
    expect((await bodyOf(wide)).errors).toEqual({ page_size: ['must be at most 200'] });
    expect((await send('POST', '/v2/memories/?page_size=201', { body: ofAlice })).status).toBe(200);
  });

  it('gives addresses as the client sees them only behind a trusted proxy', async () => {
    const headers = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'api.example.com' };
    const sent = { headers, body: ofAlice };

    const trusted = await bodyOf(
      listing({ trust_proxy: true }).send('POST', '/v2/memories/', sent),
    );
    const other = await bodyOf(listing().send('POST', '/v2/memories/', sent));

    expect(trusted.next).toMatch(/^https:\/\/api\.example\.com\/v2\/memories\/\?page=2/);
    expect(other.next).toMatch(/^http:\/\/localhost\//);
  });
});

describe('a path that wants an entity', () => {
  const search = async (body: object) => {
    const client = clientOf({ search_memories: () => ({ results: [] }) });
    return (await client.send('POST', '/v3/memories/search/', { body: { query: 'x', ...body } }))
      .status;
  };

  it.each([
    [{ filters: { user_id: 'alice' } }],
    [{ filters: { userId: 'alice' } }],
    [{ filters: { agent_id: '*' } }],
    [{ filters: { OR: [{ user_id: 'alice' }, { categories: ['x'] }] } }],
    [{ filters: { AND: [{ run_id: { in: ['a'] } }, { NOT: { user_id: 'bob' } }] } }],
    [{ app_id: 'shop' }],
  ])('accepts %j', async (body) => {
    expect(await search(body)).toBe(200);
  });

  it.each([
    [{}],
    [{ filters: {} }],
    [{ filters: { categories: ['x'] } }],
    [{ filters: { NOT: [{ user_id: 'alice' }] } }],
    [{ filters: { user_id: { ne: 'alice' } } }],
  ])('refuses %j', async (body) => {
    expect(await search(body)).toBe(400);
  });

  it('also has the lower threshold of v3', async () => {
    const { send, calls } = clientOf({ search_memories: () => ({ results: [] }) });

    await send('POST', '/v3/memories/search/', { body: { query: 'x', ...ofAlice } });
    await send('POST', '/v3/memories/search/', {
      body: { query: 'x', threshold: null, ...ofAlice },
    });
    await send('POST', '/v3/memories/search/', {
      body: { query: 'x', threshold: 0.7, ...ofAlice },
    });
    await send('POST', '/v2/memories/search/', { body: { query: 'x', ...ofAlice } });

    expect(calls.map(({ input }) => input.threshold)).toEqual([0.1, 0.1, 0.7, undefined]);
  });

  it('refuses a bare GET /v1/memories/', async () => {
    const { send } = listing();

    const answer = await send('GET', '/v1/memories/');

    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).message).toContain('user_id');
  });
});

describe('the memories of an entity', () => {
  let served: Served;
  beforeEach(async () => {
    served = await serveRest();
    served.callers.set('token', owner);
    for (const text of ['One', 'Two', 'Three']) {
      const input = { text, user_id: 'alice' };
      await served.engine.invoke('add_memory', input, { caller: owner });
    }
  });
  afterEach(async () => {
    await served.engine.stop();
  });

  const get = async (path: string) => {
    const headers = { Authorization: 'Token token', 'X-Mem0-Client': 'scenarios/1' };
    const answer = await served.app.request(path, { headers });
    return { status: answer.status, body: await bodyOf(answer) };
  };

  it('come as a page to official clients that ask for one', async () => {
    const whole = await get('/v1/memories/user/alice/?page=1');
    const second = await get('/v1/memories/user/alice/?page=2&page_size=2');
    const bare = await get('/v1/memories/user/alice/');

    expect(whole.body).toMatchObject({ count: 3, next: null, previous: null });
    expect(whole.body.results).toEqual(bare.body);
    expect(second.body).toMatchObject({ next: null, results: [{ memory: 'One' }] });
    expect(second.body.previous).toContain('/v1/memories/user/alice/?page=1&page_size=2');
  });

  it('are refused for another type of entity, with those allowed', async () => {
    const { status, body } = await get('/v1/memories/pet/rex/?page=1');

    expect(status).toBe(400);
    expect(body.errors.entity_type[0]).toContain('user, agent, app, run');
  });
});
