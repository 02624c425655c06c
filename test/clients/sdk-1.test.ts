import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startReceiver } from '../support/webhook-receiver.ts';
import { installTimeoutMs } from './installed.ts';
import { type Client, contacts, firstId, itemsOf, openClient, quiet, sdk1 } from './sdks.ts';
import { type Server, startServer } from './server.ts';

/** What only version 1 of the SDK sends, or reads from an answer. */
describe('mem0ai 1.0.39', () => {
  let server: Server;
  let client: Client;
  const remember = async (user_id: string, content: string) =>
    firstId(await client.add(content, { user_id, infer: false }));

  beforeAll(async () => {
    quiet();
    server = await startServer(sdk1.settings);
    client = await openClient(sdk1, server);
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(contacts()).toEqual([]);
  });

  it('changes a text and its metadata in one object, or the text alone', async () => {
    const id = await remember('uma', 'Holds a ticket');

    await client.update(id, { text: 'Holds two tickets', metadata: { a: 1 } });
    await client.update(id, 'Holds three tickets');

    expect(await client.get(id)).toMatchObject({
      memory: 'Holds three tickets',
      metadata: { a: 1 },
    });
  });

  it('lists by filters, with pages and without', async () => {
    await remember('lea', 'Reads novels');
    const filters = { AND: [{ user_id: 'lea' }] };

    const all = await client.getAll({ api_version: 'v2', filters });
    const page = await client.getAll({ api_version: 'v2', filters, page: 1, page_size: 5 });

    for (const answer of [all, page]) {
      expect(answer).toMatchObject({ count: 1, results: [{ memory: 'Reads novels' }] });
    }
  });

  it('searches by filters, in the later version of search', async () => {
    await remember('sam', 'Drinks green tea');

    const found = await client.search('tea', {
      api_version: 'v2',
      filters: { user_id: 'sam' },
      top_k: 3,
      threshold: 0.1,
    });

    expect(itemsOf(found)).toMatchObject([{ memory: 'Drinks green tea' }]);
  });

  it('makes a webhook in the spelling of its own fields', async () => {
    const made = await client.createWebhook({
      name: 'n',
      url: 'https://example.com/hook',
      eventTypes: ['memory_add'],
    });

    expect(made).toMatchObject({ event_types: ['memory_add'], is_active: true });
  });

  it('can be told from no other program: a delete is what anyone writes with fetch', async () => {
    const receiver = await startReceiver();
    receiver.react((response) => response.end('{}'));
    const host = receiver.url.replace('/hook', '');
    const early = await openClient<Client>(sdk1, server, { host, apiKey: 'mk_any' });
    const headers = { Authorization: 'Token mk_any', 'Content-Type': 'application/json' };

    await early.delete('some-id');
    await fetch(`${host}/v1/memories/some-id/`, { method: 'DELETE', headers });

    const [own, written, ...more] = receiver.received;
    expect(more).toEqual([]);
    expect(own).toEqual(written);
    expect(Object.entries(own?.headers ?? {})).toEqual(Object.entries(written?.headers ?? {}));
    await receiver.stop();
  });

  it('deletes what a server gave it whose dialect is left to guess, and stumbles after it', async () => {
    const guessing = await startServer();
    const early = await openClient<Client>(sdk1, guessing);
    const id = firstId(await early.add('Passes by', { user_id: 'ann', infer: false }));

    const deleting = early.delete(id);

    await expect(deleting).rejects.toThrow(/JSON/);
    await expect(early.get(id)).rejects.toThrow(/not found/i);
    await guessing.stop();
  });
});
