import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../src/contract/errors.ts';
import type { OperationName } from '../../src/contract.ts';
import { owner } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { type Outbox, startOutbox } from '../support/outbox.ts';
import { type Receiver, startReceiver } from '../support/webhook-receiver.ts';

const nobody = { agent_id: null, app_id: null, run_id: null };

describe('subscribers', () => {
  let outbox: Outbox;
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await startReceiver();
    outbox = await startOutbox();
  });
  afterEach(async () => {
    await outbox.stop();
    await receiver.stop();
  });

  function call(name: OperationName, input: object) {
    return outbox.invoke(name, input, { caller: owner });
  }

  /** What arrived, once so many have. */
  async function bodies(count: number): Promise<Record<string, unknown>[]> {
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(count));
    return receiver.received.map(({ body }) => JSON.parse(body));
  }

  async function told(count: number): Promise<unknown[]> {
    return (await bodies(count)).map(({ event_details }) => event_details);
  }

  it('are told of an add in the published shape, and where it happened', async () => {
    const { webhook_id, project } = await outbox.subscribe({ url: receiver.url });
    const id = await outbox.add('Likes tea');

    expect(await bodies(1)).toEqual([
      {
        event_details: { id, data: { memory: 'Likes tea' }, event: 'ADD' },
        webhook_id,
        project_id: project,
        user_id: 'alice',
        ...nobody,
        created_at: outbox.clock.now(),
      },
    ]);
  });

  it('are told of an add, its updates and its delete in that order', async () => {
    await outbox.subscribe({ url: receiver.url });
    const memory_id = await outbox.add('Likes tea');
    await call('update_memory', { memory_id, text: 'Likes green tea' });
    await call('update_memory', { memory_id, metadata: { sure: true } });
    await call('delete_memory', { memory_id });

    expect(await told(4)).toEqual([
      { id: memory_id, data: { memory: 'Likes tea' }, event: 'ADD' },
      { id: memory_id, data: { memory: 'Likes green tea' }, event: 'UPDATE' },
      { id: memory_id, data: { memory: 'Likes green tea' }, event: 'UPDATE' },
      { id: memory_id, data: { memory: 'Likes green tea' }, event: 'DELETE' },
    ]);
  });

  it('are told of the categories that a memory was filed under', async () => {
    const custom_categories = [{ food: 'what someone eats' }];
    await outbox.subscribe({ url: receiver.url });
    const memory_id = await outbox.add('Eats no meat, food is a joy', { custom_categories });

    expect(await told(2)).toMatchObject([
      { event: 'ADD' },
      { event: 'CATEGORIZE', memory_id, categories: ['food'] },
    ]);
  });

  it('are told of memories that a model extracted', async () => {
    await outbox.subscribe({ url: receiver.url });
    const messages = [{ role: 'user', content: 'I live in Lisbon.' }];
    await call('add_memory', { messages, user_id: 'alice', async_mode: false });

    expect(await told(2)).toMatchObject([
      { event: 'ADD', data: { memory: 'User lives in Lisbon.' } },
      { event: 'CATEGORIZE', categories: ['personal_details'] },
    ]);
  });

  it('are told of every memory of a batch and of a delete by filter', async () => {
    const ids = [await outbox.add('One'), await outbox.add('Two'), await outbox.add('Three')];
    const [one, two, three] = ids;
    await outbox.subscribe({ url: receiver.url });
    await call('batch_update_memories', {
      memories: [one, two].map((memory_id) => ({ memory_id, text: 'New' })),
    });
    await call('batch_delete_memories', { memory_ids: [one] });
    await call('delete_all_memories', { user_id: 'alice' });

    const changes = (await bodies(5)).map(({ event_details }) => event_details);
    expect(changes).toHaveLength(5);
    expect(changes).toEqual(
      expect.arrayContaining([
        { id: one, data: { memory: 'New' }, event: 'UPDATE' },
        { id: two, data: { memory: 'New' }, event: 'UPDATE' },
        { id: one, data: { memory: 'New' }, event: 'DELETE' },
        { id: two, data: { memory: 'New' }, event: 'DELETE' },
        { id: three, data: { memory: 'Three' }, event: 'DELETE' },
      ]),
    );
  });

  it('are told what they subscribed to, in either spelling of it', async () => {
    await outbox.subscribe({ url: `${receiver.url}/deletes`, event_types: ['memory_delete'] });
    await outbox.subscribe({ url: `${receiver.url}/adds`, event_types: ['memory:add'] });
    const memory_id = await outbox.add('One');
    await call('update_memory', { memory_id, text: 'Two' });
    await call('delete_memory', { memory_id });

    await bodies(2);
    const paths = receiver.received.map(({ path, body }) => [path, JSON.parse(body).event_details]);
    expect(paths).toHaveLength(2);
    expect(paths).toEqual(
      expect.arrayContaining([
        ['/hook/adds', expect.objectContaining({ event: 'ADD' })],
        ['/hook/deletes', expect.objectContaining({ event: 'DELETE' })],
      ]),
    );
  });

  it('are told nothing of other projects, and nothing while switched off', async () => {
    const { project_id } = outbox.projects.sibling;
    const off = await outbox.subscribe({ url: `${receiver.url}/off`, is_active: false });
    await outbox.subscribe({ url: `${receiver.url}/sibling`, project_id });
    await outbox.add('Of the own project');
    await outbox.add('Of the sibling', { project_id });

    expect(await bodies(1)).toMatchObject([{ project_id }]);
    expect(receiver.received).toMatchObject([{ path: '/hook/sibling' }]);
    expect(await outbox.deliveriesOf(off.webhook_id)).toEqual([]);
  });

  it('are told nothing of what failed as a whole', async () => {
    const { webhook_id } = await outbox.subscribe({
      url: receiver.url,
      event_types: ['memory:delete'],
    });
    const memory_ids = [await outbox.add('One'), '11111111-1111-4111-8111-111111111111'];

    await expect(call('batch_delete_memories', { memory_ids })).rejects.toThrow(ApiError);

    expect(await outbox.deliveriesOf(webhook_id)).toEqual([]);
  });

  it('are told nothing of an entity that is deleted, nor of its memories of before', async () => {
    const { webhook_id } = await outbox.subscribe({ url: receiver.url });
    await outbox.worker.stop();
    const gone = await outbox.add('Deleted before');
    await call('delete_memory', { memory_id: gone });
    await outbox.add('Deleted with the entity');
    const kept = await outbox.add('Of somebody else', { user_id: 'bob' });

    await call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    const left = await outbox.deliveriesOf(webhook_id);
    expect(left.map(({ memory_id }) => memory_id)).toEqual([kept]);
  });
});
