import { describe, expect, it } from 'vitest';
import { owner } from '../support/engine.ts';
import { serveRest } from '../support/rest-target.ts';
import { id } from './sample-outputs.ts';
import { bodyOf, clientOf } from './support.ts';

describe('an input', () => {
  it('takes repeated parameters as a list', async () => {
    const { send, calls } = clientOf({ get_project: () => ({}) });

    await send('GET', '/v1/projects/proj/?fields=decay&fields=name');

    expect(calls[0]?.input).toEqual({ project_id: 'proj', fields: ['decay', 'name'] });
  });

  it('takes metadata and filters of a query as they were sent', async () => {
    const { send, calls } = clientOf({ delete_all_memories: () => ({}) });

    const query = new URLSearchParams({ metadata: '{"a":1}', filters: "{'user_id': 'alice'}" });
    await send('DELETE', `/v1/memories/?${query}`);

    expect(calls[0]?.input).toEqual({ metadata: '{"a":1}', filters: "{'user_id': 'alice'}" });
  });

  it('can’t override in body or query what its path says', async () => {
    const { send, calls } = clientOf({ update_memory: () => ({}), delete_entity: () => ({}) });

    await send('PUT', `/v1/memories/${id}/?memory_id=other`, {
      body: { memory_id: 'other', text: 'x' },
    });
    await send('DELETE', '/v1/entities/users/alice/?entity_type=app&entity_id=shop');

    expect(calls[0]?.input).toMatchObject({ memory_id: id });
    expect(calls[1]?.input).toEqual({ entity_type: 'user', entity_id: 'alice' });
  });

  it('of a member that is removed may come in the query or in the body', async () => {
    const { send, calls } = clientOf({ remove_project_member: () => ({}) });
    const path = '/api/v1/orgs/organizations/org/projects/proj/members/';

    await send('DELETE', `${path}?email=x%40y.z`);
    await send('DELETE', path, { body: { email: 'x@y.z' } });

    expect(calls.map(({ input }) => input.email)).toEqual(['x@y.z', 'x@y.z']);
  });

  it('may hold a key named __proto__, which does no harm', async () => {
    const { send, calls } = clientOf({ search_memories: () => ({ results: [] }) });

    const body = '{"query":"x","__proto__":{"polluted":true}}';
    await send('POST', '/v2/memories/search/?__proto__=y', { body });

    expect(Object.getPrototypeOf(calls[0]?.input)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('a request that deletes or changes much', () => {
  it.each([
    ['POST', '/v1/memories/erase/', { filter: { user_id: 'a' } }, 'did you mean "filters"?'],
    ['POST', '/v1/memories/erase/', { dry_run: true }, 'has no dry run'],
    ['DELETE', '/v1/memories/?metadta=%7B%7D', undefined, 'did you mean "metadata"?'],
    ['DELETE', '/v1/memories/?dryRun=true', undefined, 'has no dry run'],
    ['DELETE', '/v2/entities/user/alice/?dry_run=true', undefined, 'has no dry run'],
    ['POST', '/v1/changes/undo/', { dryRun: true }, 'did you mean "dry_run"?'],
    ['POST', '/v1/imports/', { lines: [], dryrun: true }, 'did you mean "dry_run"?'],
  ] as const)('is refused with a misspelt field: %s %s', async (method, path, fields, hint) => {
    const script = {
      erase_memories: () => ({}),
      delete_all_memories: () => ({}),
      delete_entity: () => ({}),
      undo_changes: () => ({}),
      import_memories: () => ({}),
    };
    const { send, calls } = clientOf(script);

    const user = fields === undefined ? {} : { body: { user_id: 'alice', ...fields } };
    const answer = await send(method, path, user);

    expect(answer.status).toBe(400);
    expect(JSON.stringify(await bodyOf(answer))).toContain(hint.replaceAll('"', '\\"'));
    expect(calls).toEqual([]);
  });

  it('still ignores the fields that shipped clients add', async () => {
    const { send, calls } = clientOf({
      delete_all_memories: () => ({}),
      delete_entity: () => ({}),
    });

    await send('DELETE', '/v1/memories/?source=CLI&user_id=alice');
    await send('DELETE', '/v2/entities/user/alice/?source=CLI');

    expect(calls).toHaveLength(2);
  });
});

describe('a body', () => {
  const search = (body: string, headers: Record<string, string> = {}) =>
    clientOf({ search_memories: () => ({ results: [] }) }).send('POST', '/v2/memories/search/', {
      body,
      headers,
    });

  it.each(['application/json', 'application/json; charset=utf-8', 'application/vnd.api+json'])(
    'may be of type %s',
    async (type) => {
      expect((await search('{"query":"x"}', { 'Content-Type': type })).status).toBe(200);
    },
  );

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'of type %s is a 415',
    async (type) => {
      const answer = await search('{"query":"x"}', { 'Content-Type': type });

      expect(answer.status).toBe(415);
      expect((await bodyOf(answer)).message).toContain('application/json');
    },
  );

  it('that is compressed is a 415, which says so', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const answer = await search('{"query":"x"}', headers);
    const plain = await search('{"query":"x"}', { ...headers, 'Content-Encoding': 'identity' });

    expect([answer.status, plain.status]).toEqual([415, 200]);
    expect((await bodyOf(answer)).message).toContain('Content-Encoding');
  });

  it('that is no JSON is a 400', async () => {
    const answer = await search('{"query":');

    expect(answer.status).toBe(400);
    expect(await bodyOf(answer)).toMatchObject({ message: expect.stringContaining('JSON') });
  });

  it('that is no UTF-8 is a 400', async () => {
    const { app } = clientOf({});

    const answer = await app.request('/v2/memories/search/', {
      method: 'POST',
      headers: { Authorization: 'Token mk_good' },
      body: new Uint8Array([0x22, 0xff, 0x22]),
    });

    expect(answer.status).toBe(400);
  });

  it.each(['[]', '"x"', 'null', '7'])('that is %s is a 400: an object is wanted', async (body) => {
    const answer = await search(body);

    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).message).toContain('JSON object');
  });

  it('that is nested without end is a 400, brackets in its texts apart', async () => {
    const nested = (depth: number) => `{"query":"x","y":${'['.repeat(depth)}${']'.repeat(depth)}}`;

    expect((await search(nested(99))).status).toBe(200);
    expect((await search(nested(100))).status).toBe(400);
    expect((await search(nested(1_000_000))).status).toBe(400);
    expect((await search(`{"query":"\\"${'['.repeat(200)}"}`)).status).toBe(200);
  });

  it('of more entries than any input has is a 400 before it is read, commas in texts apart', async () => {
    const list = (entries: number) => `[${Array(entries).fill('7').join()}]`;
    const body = (y: string) => `{"query":"x","y":${y}}`;
    const many = (lists: number) => body(`[${Array(lists).fill(list(5000)).join()}]`);

    expect((await search(body(list(5000)))).status).toBe(200);
    expect((await search(many(19))).status).toBe(200);
    expect((await search(`{"query":"${','.repeat(1000)}"}`)).status).toBe(200);
    for (const refused of [body(list(5001)), many(21)]) {
      const answer = await search(refused);
      expect(answer.status).toBe(400);
      expect((await bodyOf(answer)).message).toMatch(/^the body has too many entries in /);
    }
  });

  it('may be empty, whatever its type says', async () => {
    const { send, calls } = clientOf({
      rotate_webhook_secret: () => ({}),
      get_memory: () => ({}),
      delete_memory: () => ({}),
    });
    const headers = { 'Content-Type': 'application/json' };

    await send('POST', `/api/v1/webhooks/${id}/rotate-secret/`, { headers });
    await send('DELETE', `/v1/memories/${id}/`, { headers, body: '' });
    await send('GET', `/v1/memories/${id}/`, { headers });

    expect(calls).toHaveLength(3);
  });

  it('over the limit is a 413 that names it', async () => {
    const { send } = clientOf({}, { body_max_bytes: 2048 });

    const answer = await send('POST', '/v2/memories/search/', {
      body: { query: 'x'.repeat(3000) },
    });

    expect(answer.status).toBe(413);
    expect((await bodyOf(answer)).message).toContain('2048');
  });

  it('over the limit is not read to its end when no length announces it', async () => {
    const { app } = clientOf({}, { body_max_bytes: 2048 });
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });

    const answer = await app.request('/v2/memories/search/', {
      method: 'POST',
      headers: { Authorization: 'Token mk_good', 'Content-Type': 'application/json' },
      body: endless,
      duplex: 'half',
    } as RequestInit);

    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });
});

describe('what a client says of itself', () => {
  it('is no part of what it stores or deletes', async () => {
    const { engine, callers, app } = await serveRest();
    callers.set('token', owner);
    const send = (method: string, path: string, body: object) => {
      const headers = { Authorization: 'Token token', 'Content-Type': 'application/json' };
      return app.request(path, { method, headers, body: JSON.stringify(body) });
    };
    const text = { text: 'Likes tea', source: 'CLI' };
    await send('POST', '/v1/memories/', { ...text, user_id: 'alice' });
    await send('POST', '/v1/memories/', { ...text, user_id: 'bob' });

    const gone = await send('DELETE', '/v2/entities/user/bob/', {
      source: 'CLI',
      user_id: 'alice',
    });

    const { results } = await engine.invoke('get_memories', {}, { caller: owner });
    expect(gone.status).toBe(200);
    expect(results).toMatchObject([{ user_id: 'alice', metadata: {} }]);
    expect(results[0]?.metadata).toEqual({});
    await engine.stop();
  });
});
