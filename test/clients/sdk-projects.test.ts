import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../e2e/service.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';
import { installTimeoutMs } from './installed.ts';
import { type Client, contacts, itemsOf, openClient, quiet, sdks } from './sdks.ts';
import { type Server, startServer } from './server.ts';

describe.each(sdks)('beside memories, $title', (sdk) => {
  const { spell } = sdk;
  let server: Server;
  let client: Client;
  const add = (ids: Record<string, string>, content = `fact ${randomUUID()}`) => {
    const of = Object.entries(ids).map(([name, id]) => [spell(name), id]);
    const messages = [{ role: 'user', content }];
    return client.add(messages, { ...Object.fromEntries(of), infer: false });
  };

  beforeAll(async () => {
    quiet();
    const hooks = { webhook_allow_http: 'true', webhook_allow_private: 'true' };
    server = await startServer({ ...sdk.settings, ...hooks });
    client = await openClient(sdk, server);
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(contacts()).toEqual([]);
  });

  describe('sees who has memories', () => {
    beforeEach(async () => {
      await add({ user_id: 'ada' });
      await add({ user_id: 'ada', agent_id: 'tutor' });
      await add({ user_id: 'bob', run_id: 'monday' });
    });

    it('users, agents, apps and runs, with counts and dates', async () => {
      const { count, results } = await client.users();

      expect(count).toBe(results.length);
      const ada = results.find(({ name }) => name === 'ada');
      expect(ada).toMatchObject({ type: 'user', [spell('total_memories')]: expect.any(Number) });
      expect(ada?.[spell('total_memories')]).toBeGreaterThanOrEqual(2);
      expect(new Date(String(ada?.[spell('created_at')])).getTime()).not.toBeNaN();
      const kinds = results.map(({ type, name }) => `${type} ${name}`);
      expect(kinds.sort()).toEqual(['agent tutor', 'run monday', 'user ada', 'user bob']);
    });

    it('and deletes one of them with all memories', async () => {
      const answer = await sdk.deleteUser(client, 'bob');

      expect(answer).toMatchObject({ message: expect.any(String) });
      const { results } = await client.users();
      const names = results.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['ada', 'tutor']));
      expect(names).not.toContain('bob');
      expect(itemsOf(await sdk.list(client, { user_id: 'bob' }))).toEqual([]);
    });

    it('and deletes everyone', async () => {
      const answer = await client.deleteUsers();

      expect(answer).toMatchObject({ message: expect.stringMatching(/^All users, agents/) });
      expect(await client.users()).toMatchObject({ count: 0, results: [] });
    });
  });

  it('changes the settings of its project, and reads those it asks for', async () => {
    const changed = await client.updateProject({
      [spell('custom_instructions')]: 'Remember what people eat.',
      [spell('custom_categories')]: [{ food_x: 'what they eat' }],
      [spell('retrieval_criteria')]: [{ name: 'joy', description: 'd', weight: 3 }],
      [spell('enable_graph')]: true,
    });

    expect(changed).toEqual({ message: 'Project updated successfully' });
    const fields = [spell('custom_categories'), spell('custom_instructions')];
    const project = await client.getProject({ fields });
    expect(project).toMatchObject({
      [spell('custom_instructions')]: 'Remember what people eat.',
      [spell('custom_categories')]: [{ food_x: 'what they eat' }],
    });
    expect(project).not.toHaveProperty(spell('enable_graph'));
  });

  it('changes nothing by settings that have no effect, and is not refused for them', async () => {
    const fields = [spell('custom_instructions'), spell('updated_at')];
    const before = await client.getProject({ fields });

    const unused = [
      { version: 'v2' },
      { [spell('memory_depth')]: 'deep' },
      { [spell('memory_depth')]: null },
      { [spell('usecase_setting')]: 1 },
    ];
    for (const setting of unused) {
      const changed = await client.updateProject(setting);
      expect(changed).toEqual({ message: 'Project updated successfully' });
    }

    expect(await client.getProject({ fields })).toEqual(before);
  });

  it('keeps the instructions for agents', async () => {
    const name = spell('agent_custom_instructions');

    await client.updateProject({ [name]: 'Keep promises.' });

    const project = await client.getProject({ fields: [name] });
    expect(project).toMatchObject({ [name]: 'Keep promises.' });
  });

  describe('is told of changes by a webhook', () => {
    let receiver: Receiver;

    beforeAll(async () => {
      receiver = await startReceiver();
    });
    afterAll(() => receiver.stop());

    it('that it makes, lists, changes and deletes', async () => {
      const created = await client.createWebhook({
        name: 'mine',
        url: receiver.url,
        eventTypes: ['memory_add'],
      });
      const webhookId = created[spell('webhook_id')];

      expect(created).toMatchObject({
        name: 'mine',
        url: receiver.url,
        [spell('event_types')]: ['memory_add'],
        [spell('is_active')]: true,
        project: expect.any(String),
        secret: expect.stringMatching(/^whsec_/),
      });
      const [listed] = await client.getWebhooks();
      expect(listed).toMatchObject({ [spell('webhook_id')]: webhookId, name: 'mine' });
      expect(listed).not.toHaveProperty('secret');

      const eventTypes = ['memory_update', 'memory_delete'];
      const changed = await client.updateWebhook({ webhookId, name: 'yours', eventTypes });

      expect(changed).toMatchObject({ message: expect.any(String) });
      expect(await client.getWebhooks()).toMatchObject([
        { name: 'yours', url: receiver.url, [spell('event_types')]: eventTypes },
      ]);

      expect(await client.deleteWebhook({ webhookId })).toMatchObject({
        message: expect.any(String),
      });
      expect(await client.getWebhooks()).toEqual([]);
    });

    it('signed with the secret that its making answered', async () => {
      const webhook = await client.createWebhook({
        name: 'mine',
        url: receiver.url,
        eventTypes: ['memory_add'],
      });
      const added = itemsOf(await add({ user_id: 'ada' }, 'Paints in oil'));

      await until(
        async () => receiver.received.length,
        (count) => count > 0,
      );

      const [delivery] = receiver.received;
      const body = String(delivery?.body);
      new Webhook(String(webhook.secret)).verify(body, { ...delivery?.headers } as never);
      expect(JSON.parse(body)).toMatchObject({
        event_details: { id: added[0]?.id, event: 'ADD', data: { memory: 'Paints in oil' } },
      });
    });
  });
});
