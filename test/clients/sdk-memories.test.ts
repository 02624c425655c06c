import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/service.ts';
import { installTimeoutMs } from './installed.ts';
import { type Client, contacts, firstId, itemsOf, openClient, quiet, sdks } from './sdks.ts';
import { type Server, startServer } from './server.ts';

describe.each(sdks)('the memories of $title', (sdk) => {
  const { spell } = sdk;
  let server: Server;
  let client: Client;
  /** A user of each test's own: they share a server. */
  const newUser = () => `user-${randomUUID()}`;
  const of = (user: string) => ({ [spell('user_id')]: user });
  const texts = (answer: unknown) => itemsOf(answer).map(({ memory }) => memory);
  const verbatim = async (user: string, ...facts: string[]) => {
    const messages = facts.map((content) => ({ role: 'user', content }));
    return itemsOf(await client.add(messages, { ...of(user), infer: false }));
  };

  beforeAll(async () => {
    quiet();
    server = await startServer(sdk.settings);
    client = await openClient(sdk, server);
  }, installTimeoutMs);

  afterAll(async () => {
    await server.stop();
    expect(contacts()).toEqual([]);
  });

  it('are reached by methods that are all driven here, as are the other methods', () => {
    const names = Object.getOwnPropertyNames(Object.getPrototypeOf(client));

    const published = names.filter((name) => !/^(_|constructor|wrapMethod)/.test(name));
    expect(published.sort()).toEqual([...sdk.methods].sort());
  });

  it('are added word for word, and got by the id that the answer names', async () => {
    const user = newUser();
    const messages = [{ role: 'user', content: 'Likes oolong tea' }];

    const added = await client.add(messages, {
      ...of(user),
      infer: false,
      metadata: { fooBar: 1, a_b: 'c' },
    });

    expect(itemsOf(added)).toMatchObject([
      { event: 'ADD', memory: 'Likes oolong tea', data: { memory: 'Likes oolong tea' } },
    ]);
    const memory = await client.get(firstId(added));
    expect(memory).toMatchObject({
      id: firstId(added),
      memory: 'Likes oolong tea',
      [spell('user_id')]: user,
      [spell('agent_id')]: null,
      metadata: { fooBar: 1, a_b: 'c' },
      categories: [],
      hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    for (const field of ['created_at', 'updated_at']) {
      const time = new Date(String(memory[spell(field)])).getTime();
      expect(Math.abs(Date.now() - time)).toBeLessThan(60_000);
    }
  });

  it('are extracted from a conversation after the answer, which names the event', async () => {
    const user = newUser();

    const added = await client.add(
      [
        { role: 'user', content: 'My name is Ada and I live in Lisbon.' },
        { role: 'assistant', content: 'Nice to meet you, Ada.' },
      ],
      of(user),
    );

    const [pending] = Array.isArray(added) ? added : [added];
    expect(pending).toMatchObject({ status: 'PENDING', [spell('event_id')]: expect.any(String) });
    const listed = await until(
      () => sdk.list(client, { user_id: user }),
      (answer) => itemsOf(answer).length > 0,
    );
    expect(texts(listed).join(' ')).toContain('Lisbon');
  });

  it('are listed for one user, newest first, and page by page', async () => {
    const user = newUser();
    await verbatim(user, 'first fact', 'second fact', 'third fact');
    await verbatim(newUser(), 'a fact of somebody else');

    const all = await sdk.list(client, { user_id: user });
    const page = await sdk.list(client, { user_id: user }, { page: 2, size: 2 });

    expect(texts(all).sort()).toEqual(['first fact', 'second fact', 'third fact']);
    expect(page).toMatchObject({ count: 3, next: null, previous: expect.any(String) });
    expect(texts(page)).toHaveLength(1);
  });

  it('are found by a question, best first, with a score', async () => {
    const user = newUser();
    await verbatim(user, 'Plays the violin', 'Allergic to peanuts', 'Has a dog named Rex');
    await verbatim(newUser(), 'Has a dog named Bello');

    const found = itemsOf(await sdk.search(client, 'the dog Rex', { user_id: user }, 2));

    expect(found[0]).toMatchObject({ memory: 'Has a dog named Rex', [spell('user_id')]: user });
    expect(found[0]?.score).toBeGreaterThan(0);
    expect(found[0]?.score).toBeLessThanOrEqual(1);
    expect(found.length).toBeLessThanOrEqual(2);
  });

  it('are changed in place, and history tells how', async () => {
    const [added] = await verbatim(newUser(), 'Lives in Rome');
    const id = String(added?.id);

    const changed = await client.update(id, sdk.change('Lives in Oslo', { moved: true }));

    expect(changed).toMatchObject({ id, memory: 'Lives in Oslo', metadata: { moved: true } });
    expect(await client.get(id)).toMatchObject({ memory: 'Lives in Oslo' });
    const [first, second] = await client.history(id);
    expect(first).toMatchObject({ event: 'ADD', [spell('new_memory')]: 'Lives in Rome' });
    expect(second).toMatchObject({
      event: 'UPDATE',
      [spell('memory_id')]: id,
      [spell('old_memory')]: 'Lives in Rome',
      [spell('new_memory')]: 'Lives in Oslo',
    });
  });

  it('are deleted one by one: the answer says so, then there is nothing to get', async () => {
    const user = newUser();
    const [added, kept] = await verbatim(user, 'to be forgotten', 'to be kept');
    const id = String(added?.id);

    const answer = await client.delete(id);

    expect(answer).toMatchObject({ message: expect.stringMatching(/deleted/i) });
    await expect(client.get(id)).rejects.toThrow(/not found/i);
    await expect(client.delete(id)).rejects.toThrow(/not found/i);
    expect(itemsOf(await sdk.list(client, { user_id: user }))).toMatchObject([{ id: kept?.id }]);
    expect((await client.history(id)).at(-1)).toMatchObject({ event: 'DELETE' });
  });

  it('are deleted all at once for one user, and for nobody else', async () => {
    const [user, other] = [newUser(), newUser()];
    await verbatim(user, 'one', 'two');
    await verbatim(other, 'three');

    const answer = await client.deleteAll(of(user));

    expect(answer).toMatchObject({ message: expect.any(String) });
    expect(itemsOf(await sdk.list(client, { user_id: user }))).toEqual([]);
    expect(texts(await sdk.list(client, { user_id: other }))).toEqual(['three']);
  });

  it('are changed and deleted in batches', async () => {
    const user = newUser();
    const ids = (await verbatim(user, 'one', 'two', 'three')).map(({ id }) => String(id));
    const [one = '', two = ''] = ids;

    const updated = await client.batchUpdate([
      { memoryId: one, text: 'the first' },
      { memoryId: two, text: 'the second' },
    ]);
    const deleted = await client.batchDelete([two]);

    expect(updated).toMatchObject({ message: expect.any(String) });
    expect(deleted).toMatchObject({ message: expect.any(String) });
    const left = texts(await sdk.list(client, { user_id: user }));
    expect(left.sort()).toEqual(['the first', 'three']);
  });

  it('refuse what is wrong in words that name it', async () => {
    const unknown = randomUUID();
    const someone = [{ role: 'user', content: 'whose fact is this?' }];

    await expect(client.get(unknown)).rejects.toThrow(/memory not found/i);
    await expect(client.get('no-uuid')).rejects.toThrow(/should be a valid UUID/);
    await expect(client.add(someone, { infer: false })).rejects.toThrow(/user_id/);
    await expect(client.batchDelete([unknown])).rejects.toThrow(unknown);
    await expect(client.deleteAll()).rejects.toThrow(/at least one/i);
  });

  it('are nobody’s without a key that is known', async () => {
    const stranger = await openClient<Client>(sdk, server, { apiKey: 'mk_unknown' });

    await expect(stranger.get(randomUUID())).rejects.toThrow(/Invalid API key/);
  });
});
