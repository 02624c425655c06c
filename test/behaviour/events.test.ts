import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('events, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  it('tell what a write stored', async () => {
    const { event_id, results } = await target.call('add_memory', {
      messages: [{ role: 'user', content: 'I live in Lisbon.' }],
      user_id: 'alice',
    });

    const event = await target.call('get_event', { event_id });

    expect(event).toMatchObject({
      id: event_id,
      event_type: 'ADD',
      status: 'SUCCEEDED',
      error: null,
      payload: { messages: [{ role: 'user', content: 'I live in Lisbon.' }] },
      results: [{ event: 'ADD', memory: 'User lives in Lisbon.', id: results[0]?.id }],
    });
    expect(event.completed_at).not.toBeNull();
  });

  it('name the key that made them, and nothing else of it', async () => {
    const { event_id } = await target.call('add_memory', { text: 'One', user_id: 'alice' });
    const laptop = target.as({ key_id: 'laptop' });
    const made = await laptop.call('add_memory', { text: 'Two', user_id: 'alice' });
    const messages = [{ role: 'user', content: 'I live in Lisbon.' }];
    await laptop.call('add_memory', { messages, user_id: 'alice', async_mode: true });

    const first = await target.call('get_event', { event_id });
    const second = await target.call('get_event', { event_id: made.event_id });
    const { results } = await target.call('list_events', {});

    const [key_id] = new Set(results.slice(0, 2).map((event) => event.key_id));
    expect(second.key_id).toBe(key_id);
    expect(results).toMatchObject([{ key_id }, { key_id }, { key_id: first.key_id }]);
    expect(key_id).not.toBe(first.key_id);
    expect(Object.keys(second).filter((name) => name.includes('key'))).toEqual(['key_id']);
  });

  it('are listed newest first, by type and state', async () => {
    await target.call('add_memory', { text: 'One', user_id: 'alice' });
    target.engine.clock.advance(1000);
    await target.call('add_memory', { text: 'Two', user_id: 'alice' });
    target.engine.clock.advance(1000);
    await target.call('delete_all_memories', { user_id: 'alice' });

    const all = await target.call('list_events', {});
    const adds = await target.call('list_events', { event_type: 'ADD', page_size: 1 });
    const failed = await target.call('list_events', { status: 'FAILED' });

    expect(all.results.map(({ event_type }) => event_type)).toEqual(['DELETE_ALL', 'ADD', 'ADD']);
    expect(adds).toMatchObject({ total: 2, results: [{ results: [{ memory: 'Two' }] }] });
    expect(failed).toMatchObject({ total: 0, results: [] });
  });

  it('are listed for one owner, and without a kind', async () => {
    await target.call('add_memory', { text: 'One', user_id: 'alice' });
    await target.call('add_memory', { text: 'Two', user_id: 'bob', agent_id: 'bot' });
    await target.call('delete_all_memories', { user_id: 'bob' });
    const list = async (input: Record<string, unknown>) =>
      (await target.call('list_events', input)).results.map(({ event_type }) => event_type);

    expect(await list({ entity_type: 'user', entity_id: 'alice' })).toEqual(['ADD']);
    expect(await list({ entity_type: 'agent', entity_id: 'bot' })).toEqual(['ADD']);
    expect(await list({ except_event_type: 'ADD' })).toEqual(['DELETE_ALL']);
    await expect(list({ entity_type: 'user' })).rejects.toThrow('entity_id');
  });

  it('tell of an update and a delete what became of the memory', async () => {
    const { results } = await target.call('add_memory', { text: 'One', user_id: 'alice' });
    const memory_id = results[0]?.id;
    await target.call('update_memory', { memory_id, text: 'Two' });
    await target.call('delete_memory', { memory_id });

    const { results: updates } = await target.call('list_events', { event_type: 'UPDATE' });
    const { results: deletes } = await target.call('list_events', { event_type: 'DELETE' });

    const shared = { id: memory_id, memory: 'Two', data: { memory: 'Two' }, user_id: 'alice' };
    expect(updates).toMatchObject([
      { payload: { memory_id, text: 'Two' }, results: [{ ...shared, event: 'UPDATE' }] },
    ]);
    expect(deletes).toMatchObject([
      { payload: { memory_id }, results: [{ ...shared, event: 'DELETE' }] },
    ]);
  });

  it('tell of a batch which memories it was about', async () => {
    const { results } = await target.call('add_memory', { text: 'One', user_id: 'alice' });
    const memory_ids = results.map(({ id }) => id);
    const memories = memory_ids.map((memory_id) => ({ memory_id, text: 'Two' }));
    await target.call('batch_update_memories', { memories });
    await target.call('batch_delete_memories', { memory_ids });

    const all = await target.call('list_events', {});

    expect(all.results).toMatchObject([
      { event_type: 'DELETE', payload: { memory_ids }, metadata: { deleted: 1 }, results: [] },
      { event_type: 'UPDATE', payload: { memory_ids }, metadata: { updated: 1 }, results: [] },
      { event_type: 'ADD' },
    ]);
  });

  it('answer not found when unknown or of another project', async () => {
    const { event_id } = await target.call('add_memory', { text: 'One', user_id: 'alice' });
    const elsewhere = target.as({ project_id: target.engine.projects.sibling.project_id });

    const unknown = await target.refusal('get_event', {
      event_id: '11111111-1111-4111-8111-111111111111',
    });
    const hidden = await elsewhere.refusal('get_event', { event_id });

    expect(unknown.code).toBe('not_found');
    expect(hidden).toEqual(unknown);
    expect((await elsewhere.call('list_events', {})).total).toBe(0);
  });

  it('refuse a malformed id, an unknown state and a page size over the limit', async () => {
    const refusals = [
      await target.refusal('get_event', { event_id: 'e1' }),
      await target.refusal('list_events', { status: 'DONE' }),
      await target.refusal('list_events', { page_size: 101 }),
    ];

    expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'invalid', 'invalid']);
    expect(refusals[0]?.message).toContain('event_id');
    expect(refusals[1]?.message).toContain('SUCCEEDED');
    expect(refusals[2]?.message).toContain('100');
  });
});
