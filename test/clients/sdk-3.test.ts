import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/service.ts';
import { installTimeoutMs } from './installed.ts';
import { type Client3, contacts, firstId, itemsOf, openClient, quiet, sdk3 } from './sdks.ts';
import { type Server, startServer } from './server.ts';

/** What only version 3 of the SDK sends, or reads from an answer. */
describe('mem0ai 3.3.1', () => {
  let server: Server;
  let client: Client3;
  const said = (content: string) => [{ role: 'user', content }];
  const remember = async (userId: string, content: string, options: object = {}) =>
    firstId(await client.add(said(content), { userId, infer: false, ...options }));
  const texts = (answer: unknown) => itemsOf(answer).map(({ memory }) => memory);

  beforeAll(async () => {
    quiet();
    server = await startServer();
    client = await openClient(sdk3, server);
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(contacts()).toEqual([]);
  });

  it('opens with nothing but the address and a key', async () => {
    await expect(client.ping()).resolves.toBeUndefined();
    await expect(client.getProject({ fields: ['customCategories'] })).resolves.toMatchObject({
      projectId: expect.any(String),
    });
  });

  it('adds with all options that it has', async () => {
    const added = await client.add(said('Joined the choir'), {
      userId: 'ida',
      agentId: 'guide',
      appId: 'shop',
      runId: 'r1',
      metadata: { fooBar: 1 },
      infer: false,
      customCategories: [{ food_x: 'd' }],
      customInstructions: 'c',
      agentCustomInstructions: 'a',
      timestamp: 1_700_000_000,
      expirationDate: '2099-01-01',
      structuredDataSchema: { aB: 1 },
    });

    expect(added).toMatchObject({ status: 'SUCCEEDED', eventId: expect.any(String) });
    expect(await client.get(firstId(added))).toMatchObject({
      userId: 'ida',
      agentId: 'guide',
      appId: 'shop',
      runId: 'r1',
      sessionId: 'r1',
      metadata: { fooBar: 1 },
      expirationDate: '2099-01-01',
      createdAt: expect.stringMatching(/^2023-11-14T22:13:20/),
    });
  });

  it('keeps the text of multimodal content', async () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } };
    const content = [{ type: 'text', text: 'This is my cat Tom' }, image];

    const added = await client.add([{ role: 'user', content }], { userId: 'ivo', infer: false });

    expect(texts(added)).toEqual(['This is my cat Tom']);
  });

  it('changes one thing and leaves the others, and clears an expiry', async () => {
    const id = await remember('uma', 'Holds a ticket', { expirationDate: '2099-01-01' });

    await client.update(id, { metadata: { seat: 12 } });
    await client.update(id, { expirationDate: null, timestamp: '2023-11-14T22:13:20Z' });

    expect(await client.get(id)).toMatchObject({
      memory: 'Holds a ticket',
      metadata: { seat: 12 },
      expirationDate: null,
      createdAt: expect.stringMatching(/^2023-11-14T22:13:20/),
    });
    await expect(client.update(id, {})).rejects.toThrow(/at least one of/i);
  });

  it('lists with filters in either spelling, and with options that narrow', async () => {
    await remember('lea', 'Old news', { timestamp: 1_700_000_000 });
    await remember('lea', 'Fresh news', { agentId: 'paper' });
    await remember('lea', 'Expired news', { timestamp: 1, expirationDate: '2001-01-01' });

    const camel = await client.getAll({ filters: { userId: 'lea' } });
    const both = await client.getAll({
      filters: { AND: [{ user_id: 'lea' }, { agent_id: 'paper' }] },
    });
    const early = await client.getAll({
      filters: { user_id: 'lea' },
      startDate: '2023-01-01',
      endDate: '2023-12-31',
    });
    const expired = await client.getAll({ filters: { user_id: 'lea' }, showExpired: true });
    const none = await client.getAll({ filters: { user_id: 'lea' }, categories: ['nope'] });

    expect(texts(camel)).toEqual(['Fresh news', 'Old news']);
    expect(texts(both)).toEqual(['Fresh news']);
    expect(texts(early)).toEqual(['Old news']);
    expect(texts(expired)).toContain('Expired news');
    expect(none).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  it('turns pages until there are no more', async () => {
    for (const number of [1, 2, 3]) await remember('pia', `page fact ${number}`);
    const page = (number: number) =>
      client.getAll({ filters: { user_id: 'pia' }, page: number, pageSize: 2 });

    expect(await page(1)).toMatchObject({ count: 3, next: expect.any(String), previous: null });
    expect(await page(2)).toMatchObject({ count: 3, next: null, previous: expect.any(String) });
    await expect(page(3)).rejects.toThrow(/Invalid page/);
  });

  it('searches with all options that it has', async () => {
    await remember('sam', 'Drinks green tea', { metadata: { a: 1 } });
    await remember('sam', 'Drinks coffee', { metadata: { a: 2 } });

    const found = await client.search('what tea?', {
      filters: { user_id: 'sam' },
      topK: 3,
      threshold: 0.1,
      rerank: true,
      latestOnly: true,
      fields: ['memory', 'score'],
      showExpired: true,
      referenceDate: 1_900_000_000,
      keywordSearch: true,
      metadata: { a: 1 },
      source: 'OPENCLAW',
    });

    expect(found).toMatchObject({ results: [{ memory: 'Drinks green tea' }] });
    const [first] = itemsOf(found);
    expect(first).not.toHaveProperty('hash');
    await expect(client.search('tea', {})).rejects.toThrow(/user_id/);
  });

  it('deletes a memory together with those that were merged into it', async () => {
    const id = await remember('dan', 'Is a pilot');

    const answer = await client.delete(id, { deleteLinked: true });

    expect(answer).toMatchObject({ message: expect.any(String) });
    expect(itemsOf(await client.getAll({ filters: { user_id: 'dan' } }))).toEqual([]);
  });

  it('lists users by page and deletes one whose id needs escaping', async () => {
    const user = 'ra dha/x%2F?#é';
    await remember(user, 'Has an unusual name');

    const page = await client.users({ page: 1, pageSize: 1 });
    const deleted = await client.deleteUsers({ userId: user });

    expect(page).toMatchObject({ results: [{ id: user, name: user, totalMemories: 1 }] });
    expect(page).toMatchObject({ next: expect.any(String), totalUsers: expect.any(Number) });
    expect(deleted).toEqual({ message: 'Entity deleted successfully.' });
    expect(itemsOf(await client.getAll({ filters: { user_id: user } }))).toEqual([]);
  });

  it('rates a memory', async () => {
    const memoryId = await remember('fay', 'Lives in Bonn');

    const rated = await client.feedback({
      memoryId,
      feedback: 'POSITIVE',
      feedbackReason: 'true',
    });

    expect(rated).toMatchObject({ memoryId, feedback: 'POSITIVE', feedbackReason: 'true' });
    await expect(client.feedback({ memoryId, feedback: 'GREAT' })).rejects.toThrow(/POSITIVE/);
  });

  it('fills a schema of its own from memories, under the names that it chose', async () => {
    await remember('eva', 'Lives in Bern');
    const schema = {
      type: 'object',
      properties: {
        fullName: { type: 'string' },
        facts: {
          type: 'array',
          items: { type: 'object', properties: { memory: { type: 'string' } } },
        },
      },
    };

    const created = await client.createMemoryExport({
      schema,
      filters: { user_id: 'eva' },
      exportInstructions: 'all',
    });
    const memoryExportId = created.id;
    const filled = await until(
      () => client.getMemoryExport({ memoryExportId }),
      ({ status }) => status !== 'PENDING',
    );
    const latest = await client.getMemoryExport({ filters: { user_id: 'eva' } });

    expect(created).toMatchObject({ message: expect.stringMatching(/received/) });
    expect(filled).toEqual({ fullName: null, facts: [{ memory: 'Lives in Bern' }] });
    expect(latest).toEqual(filled);
    const unknown = client.getMemoryExport({ memoryExportId: randomUUID() });
    await expect(unknown).rejects.toThrow(/No memory export request found/);
  });

  it('names each refusal by its kind', async () => {
    const unknown = randomUUID();
    const stranger = await openClient<Client3>(sdk3, server, { apiKey: 'mk_unknown' });

    await expect(client.get(unknown)).rejects.toMatchObject({
      name: 'MemoryNotFoundError',
      errorCode: 'HTTP_404',
    });
    await expect(client.get('nonsense')).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(stranger.get(unknown)).rejects.toMatchObject({ name: 'AuthenticationError' });
  });

  it('refuses to change what is immutable, in a batch too', async () => {
    const messages = said('Never to be changed');
    const body = { messages, user_id: 'imo', infer: false, immutable: true };
    const added = await server.send('POST', '/v1/memories/', { body });
    const memoryId = firstId(added.body);

    const one = client.update(memoryId, { text: 'changed' });
    const many = client.batchUpdate([{ memoryId, text: 'changed' }]);

    await expect(one).rejects.toMatchObject({ name: 'ValidationError', errorCode: 'HTTP_409' });
    await expect(many).rejects.toMatchObject({ errorCode: 'HTTP_409' });
  });

  describe('has profiles', () => {
    const entityId = `pat-${randomUUID()}`;

    beforeAll(async () => {
      for (const fact of ['Likes jazz', 'Works as a nurse', 'Lives in Graz', 'Has two cats']) {
        await remember(entityId, fact);
      }
    });

    it('of a user, made on demand and read by their state', async () => {
      const job = await client.generateProfile({ entityId });
      const byUrl = await client.getProfileJob(String(job.statusUrl));
      const byId = await client.getProfileJob(String(job.jobId));
      const profile = await client.getProfile({ entityId });

      expect(job).toMatchObject({ operation: 'trigger', entityType: 'user', eventId: null });
      expect(byUrl.job).toEqual(byId.job);
      expect(byUrl.job).toMatchObject({
        id: job.jobId,
        status: 'succeeded',
        total: 1,
        enumerationComplete: true,
        completed: 1,
        succeeded: 1,
        failed: 0,
        skipped: 0,
      });
      expect(profile).toMatchObject({
        status: 'succeeded',
        entityType: 'user',
        entityId,
        generationCount: 1,
        error: null,
        updatedAt: expect.stringMatching(/^\d{4}-/),
      });
      expect(JSON.stringify(profile.profile)).toContain('Works as a nurse');
    });

    it('in a shape that the project chose, changed piece by piece', async () => {
      const schema = {
        type: 'object',
        properties: { fav_food: { type: 'string', description: 'd' } },
      };

      await client.updateProfileSettings({ enabled: true, schema });
      const settings = await client.updateProfileSettings({ customInstructions: 'short' });

      const user = { schema, customInstructions: 'short' };
      expect(settings).toMatchObject({ enabled: true, entities: { user } });
      expect(await client.getProfileSettings()).toEqual(settings);
      const { profile } = await client.getProfile({ entityId });
      expect(profile).toEqual({ fav_food: null });
      const cleared = await client.updateProfileSettings({ schema: null });
      expect(cleared).toMatchObject({ entities: { user: { customInstructions: 'short' } } });
    });

    it('of a few users as a sample', async () => {
      const sample = await client.sampleProfiles({ limit: 1 });

      expect(sample).toMatchObject({ operation: 'sample', sampled: 1, entityIds: [entityId] });
      const { job } = await client.getProfileJob(String(sample.jobId));
      expect(job).toMatchObject({ total: 1, succeeded: 1 });
    });

    it('once for one key of idempotency', async () => {
      const idempotencyKey = randomUUID();

      const first = await client.generateProfile({ entityId, idempotencyKey });
      const again = await client.generateProfile({ entityId, idempotencyKey });

      expect(again).toMatchObject({ jobId: first.jobId, entityId, replayed: true });
      const { job } = await client.getProfileJob(String(again.statusUrl));
      expect(job).toMatchObject({ id: first.jobId, operation: 'trigger' });
    });

    it('that say when a user is too little known, or nobody may have one', async () => {
      const unknown = await client.getProfile({ entityId: randomUUID() });
      await client.updateProfileSettings({ enabled: false });
      const switchedOff = await client.getProfile({ entityId });

      expect(unknown).toMatchObject({ status: 'insufficient_data', profile: {} });
      expect(switchedOff).toMatchObject({ status: 'not_enabled', profile: {}, updatedAt: null });
      await expect(client.getProfileJob('unknown')).rejects.toMatchObject({
        name: 'MemoryNotFoundError',
      });
    });
  });
});
