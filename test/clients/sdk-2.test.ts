import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/service.ts';
import { installTimeoutMs } from './installed.ts';
import { type Client2, contacts, firstId, itemsOf, openClient, quiet, sdk2 } from './sdks.ts';
import { type Server, startServer } from './server.ts';

/** What only version 2 of the SDK sends, or reads from an answer. */
describe('mem0ai 2.4.6', () => {
  let server: Server;
  let client: Client2;
  const said = (content: string) => [{ role: 'user', content }];
  const remember = async (user_id: string, content: string, options: object = {}) =>
    firstId(await client.add(said(content), { user_id, infer: false, ...options }));
  const texts = (answer: unknown) => itemsOf(answer).map(({ memory }) => memory);

  beforeAll(async () => {
    quiet();
    server = await startServer();
    client = await openClient(sdk2, server);
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(contacts()).toEqual([]);
  });

  it('opens with nothing but the address and a key', async () => {
    await expect(client.ping()).resolves.toBeUndefined();
    const project = await client.getProject({ fields: ['custom_categories'] });
    expect(project).toMatchObject({ project_id: expect.any(String) });
  });

  it('adds with all options that it has, and gets its results wrapped', async () => {
    const added = await client.add(said('Joined the choir'), {
      user_id: 'ida',
      agent_id: 'guide',
      metadata: { fooBar: 1 },
      infer: false,
      async_mode: false,
      output_format: 'v1.1',
      enable_graph: true,
      immutable: true,
      includes: 'a',
      excludes: 'b',
      custom_categories: [{ food_x: 'd' }],
      expiration_date: '2099-01-01',
      timestamp: 1_700_000_000,
    });

    expect(added).toMatchObject({ results: [{ event: 'ADD' }], relations: [] });
    expect(await client.get(firstId(added))).toMatchObject({
      user_id: 'ida',
      agent_id: 'guide',
      metadata: { fooBar: 1 },
      immutable: true,
      expiration_date: '2099-01-01',
      created_at: expect.stringMatching(/^2023-11-14/),
    });
  });

  it('adds what is said in one string, for the version of memories it asks for', async () => {
    const options = { user_id: 'one', infer: false, api_version: 'v2' };

    const added = await client.add('Collects stamps', options);

    expect(texts(added)).toEqual(['Collects stamps']);
  });

  it('waits for facts where it is told to', async () => {
    const options = { user_id: 'wes', async_mode: false };

    const added = await client.add(said('My name is Wes and I work as a baker.'), options);

    expect(texts(added).join(' ')).toContain('baker');
    expect(itemsOf(added)[0]).toMatchObject({ event: 'ADD', id: expect.any(String) });
  });

  it('lists by filters, with a count, with pages and without', async () => {
    await remember('lea', 'Old news', { timestamp: 1_700_000_000 });
    await remember('lea', 'Fresh news');
    const filters = { AND: [{ user_id: 'lea' }] };

    const all = await client.getAll({ api_version: 'v2', filters });
    const second = await client.getAll({ api_version: 'v2', filters, page: 2, page_size: 1 });
    const early = await client.getAll({
      api_version: 'v2',
      filters: { AND: [{ user_id: 'lea' }, { created_at: { lte: '2023-12-31' } }] },
    });

    expect(all).toMatchObject({ count: 2, total: 2, next: null, previous: null });
    expect(texts(all)).toEqual(['Fresh news', 'Old news']);
    expect(second).toMatchObject({ count: 2, results: [{ memory: 'Old news' }] });
    expect(texts(early)).toEqual(['Old news']);
  });

  it('searches by filters with wildcards', async () => {
    await remember('sam', 'Drinks green tea', { agent_id: 'waiter' });
    await remember('tom', 'Drinks black tea');

    const found = await client.search('tea', {
      api_version: 'v2',
      top_k: 3,
      threshold: 0.1,
      enable_graph: true,
      filters: { OR: [{ user_id: 'tom' }, { agent_id: '*' }] },
    });
    const plain = await client.search('tea', {
      user_id: 'sam',
      limit: 3,
      top_k: 3,
      threshold: 0.2,
      rerank: true,
    });

    expect(texts(found).sort()).toEqual(['Drinks black tea', 'Drinks green tea']);
    expect(Array.isArray(plain)).toBe(true);
    expect(texts(plain)).toEqual(['Drinks green tea']);
  });

  it('changes one thing and leaves the others', async () => {
    const id = await remember('uma', 'Holds a ticket');

    await client.update(id, { metadata: { seat: 12 } });
    await client.update(id, { timestamp: 1_700_000_000.5 });

    expect(await client.get(id)).toMatchObject({
      memory: 'Holds a ticket',
      metadata: { seat: 12 },
      created_at: expect.stringMatching(/^2023-11-14/),
    });
  });

  it('deletes one entity by its kind', async () => {
    await remember('dan', 'Is a pilot', { run_id: 'night' });

    const answer = await client.deleteUsers({ run_id: 'night' });

    expect(answer).toEqual({ message: 'Entity deleted successfully.' });
    expect(itemsOf(await client.getAll({ user_id: 'dan' }))).toEqual([]);
  });

  it('rates a memory, and takes the rating back', async () => {
    const memory_id = await remember('fay', 'Lives in Bonn');

    const rated = await client.feedback({
      memory_id,
      feedback: 'VERY_NEGATIVE',
      feedback_reason: 'wrong',
    });
    const withdrawn = await client.feedback({ memory_id, feedback: null });

    expect(rated).toMatchObject({ feedback: 'VERY_NEGATIVE', feedback_reason: 'wrong' });
    expect(withdrawn).toMatchObject({ memory_id, feedback: null });
  });

  it('fills a schema from memories', async () => {
    await remember('eva', 'Lives in Bern');
    const items = { type: 'object', properties: { memory: { type: 'string' } } };
    const schema = { type: 'object', properties: { facts: { type: 'array', items } } };

    const created = await client.createMemoryExport({ schema, filters: { user_id: 'eva' } });
    const filled = await until(
      () => client.getMemoryExport({ memory_export_id: created.id }),
      ({ status }) => status !== 'PENDING',
    );

    expect(filled).toEqual({ facts: [{ memory: 'Lives in Bern' }] });
  });

  it('names each refusal by its kind', async () => {
    await expect(client.get(randomUUID())).rejects.toMatchObject({
      name: 'MemoryNotFoundError',
      errorCode: 'HTTP_404',
    });
    await expect(client.get('nonsense')).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('stays in the project that it was opened for', async () => {
    const { body } = await server.send('GET', '/v1/ping/');
    const { org_id } = body as { org_id: string };
    const path = `/api/v1/orgs/organizations/${org_id}/projects/`;
    const made = await server.send('POST', path, { body: { name: 'Second' } });
    const { project_id } = made.body as { project_id: string };
    const ids = { organizationId: org_id, projectId: project_id };
    const second = await openClient<Client2>(sdk2, server, ids);

    await second.add(said('Only in the second project'), { user_id: 'pam', infer: false });

    expect(texts(await second.getAll({ user_id: 'pam' }))).toEqual(['Only in the second project']);
    expect(itemsOf(await client.getAll({ user_id: 'pam' }))).toEqual([]);
    expect(await second.users()).toMatchObject({ count: 1, results: [{ id: 'pam' }] });
  });
});
