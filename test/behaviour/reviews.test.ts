import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('reviews, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
    await configure({ trust_min: 'assistant' });
  });
  afterEach(async () => {
    await target.stop();
  });

  function configure(settings: Record<string, unknown>) {
    const { org_id, project_id } = target.engine.projects.own;
    return target.call('update_project', { org_id, project_id, ...settings });
  }

  async function say(role: string, content: string, more: Record<string, unknown> = {}) {
    const messages = [{ role, content }];
    const input = { messages, user_id: 'alice', infer: false, ...more };
    const { results } = await target.call('add_memory', input);
    return results[0];
  }

  /** A memory that waits, because a tool said it. */
  async function hold(content: string, more: Record<string, unknown> = {}): Promise<string> {
    return (await say('tool', content, more))?.id ?? '';
  }

  async function recalled(user_id = 'alice') {
    const { results } = await target.call('get_memories', { user_id });
    return results.map(({ memory }) => memory);
  }

  async function waiting(input: Record<string, unknown> = {}) {
    return (await target.call('list_reviews', input)).results;
  }

  it('list what waits, newest first, and why', async () => {
    await say('user', 'Alice drinks tea');
    await hold('Alice owns a boat');
    target.engine.clock.advance(1000);
    await hold('Bob owns a car', { user_id: 'bob' });

    expect(await waiting()).toMatchObject([
      { memory: 'Bob owns a car', user_id: 'bob' },
      {
        memory: 'Alice owns a boat',
        status: 'quarantined',
        source_class: 'tool',
        review_reason: 'source',
      },
    ]);
    expect(await waiting({ user_id: 'bob' })).toHaveLength(1);
    expect(await waiting({ status: 'candidate' })).toEqual([]);
    expect(await waiting({ source_class: 'tool', page_size: 1 })).toHaveLength(1);
    expect((await target.refusal('list_reviews', { status: 'active' })).message).toMatch(/status/);
  });

  it('accept a memory, which is recalled then', async () => {
    const memory_id = await hold('Alice owns a boat');

    const answer = await target.call('review_memory', { memory_id, decision: 'accept' });

    expect(answer).toMatchObject({ results: [{ event: 'ADD', id: memory_id }] });
    expect(await recalled()).toEqual(['Alice owns a boat']);
    expect(await waiting()).toEqual([]);
    const search = { query: 'Who owns a boat?', user_id: 'alice' };
    expect((await target.call('search_memories', search)).results).toHaveLength(1);
    const { results } = await target.call('get_history', { memory_id });
    expect(results.map(({ event }) => event)).toEqual(['ADD', 'UPDATE']);
  });

  it('accept a memory with another text', async () => {
    const memory_id = await hold('Alice owns a boat');

    await target.call('review_memory', { memory_id, decision: 'accept', text: 'Alice rents one' });

    expect(await recalled()).toEqual(['Alice rents one']);
    const search = { query: 'rents', user_id: 'alice' };
    expect((await target.call('search_memories', search)).results).toHaveLength(1);
  });

  it('accept a memory that was to be pinned', async () => {
    const memory_id = await hold('Alice owns a boat', { pinned: true });

    await target.call('review_memory', { memory_id, decision: 'accept' });

    expect(await target.call('get_memory', { memory_id })).toMatchObject({ pinned: true });
  });

  it('list those that wait for one reason', async () => {
    await hold('Alice owns a boat');
    await configure({ review: 'all' });
    await say('user', 'Alice drinks tea');

    expect(await waiting({ review_reason: 'source' })).toMatchObject([
      { memory: 'Alice owns a boat' },
    ]);
    expect(await waiting({ review_reason: 'all' })).toMatchObject([{ memory: 'Alice drinks tea' }]);
    expect(await waiting({ review_reason: 'unsure' })).toEqual([]);
  });

  it('replace the memory that is named, or none, and both are undone as one', async () => {
    const old = (await say('user', 'Alice lives in Bonn'))?.id ?? '';
    const memory_id = await hold('Alice lives in Kiel');
    const accept = { memory_id, decision: 'accept' };

    const replaced = await target.call('review_memory', { ...accept, replaces: old });
    const after = await recalled();
    await target.call('undo_changes', { event_id: replaced.event_id });
    const [again] = await waiting();
    await target.call('review_memory', { ...accept, replaces: null });

    expect(replaced.results).toMatchObject([{ event: 'UPDATE', id: old }]);
    expect(after).toEqual(['Alice lives in Kiel']);
    expect(again).toMatchObject({ id: memory_id, memory: 'Alice lives in Kiel' });
    expect((await recalled()).toSorted()).toEqual(['Alice lives in Bonn', 'Alice lives in Kiel']);
  });

  it('replace no memory of somebody else', async () => {
    const replaces = (await say('user', 'Bob lives in Bonn', { user_id: 'bob' }))?.id;
    const memory_id = await hold('Alice lives in Kiel');
    const accept = { memory_id, decision: 'accept', replaces };

    expect((await target.refusal('review_memory', accept)).code).toBe('conflict');
    expect(
      (await target.refusal('review_memory', { ...accept, decision: 'decline' })).message,
    ).toMatch(/replaces/);
    expect(await recalled('bob')).toEqual(['Bob lives in Bonn']);
  });

  it.each(['decline', 'never'])('are undone after %s', async (decision) => {
    const memory_id = await hold('Alice owns a boat');
    const { event_id } = await target.call('review_memory', { memory_id, decision });

    await target.call('undo_changes', { event_id });

    expect(await waiting()).toMatchObject([{ id: memory_id, review_reason: 'source' }]);
  });

  it('accept nothing that is recalled already', async () => {
    const memory_id = await hold('Alice owns a boat');
    await say('user', 'Alice owns a boat');

    const refusal = await target.refusal('review_memory', { memory_id, decision: 'accept' });

    expect(refusal).toMatchObject({ code: 'conflict', message: expect.stringMatching(/decline/) });
    expect(await recalled()).toEqual(['Alice owns a boat']);
  });

  it('decline a memory, whose history stays', async () => {
    const memory_id = await hold('Alice owns a boat');

    const answer = await target.call('review_memory', { memory_id, decision: 'decline' });
    const again = await hold('Alice owns a boat');

    expect(answer).toMatchObject({ results: [{ event: 'DELETE', id: memory_id }] });
    const { results } = await target.call('get_history', { memory_id });
    expect(results).toMatchObject([
      { event: 'ADD', input: [{ content: 'Alice owns a boat' }] },
      { event: 'DELETE', old_memory: 'Alice owns a boat' },
    ]);
    expect(again).not.toBe('');
    expect(await waiting()).toHaveLength(1);
  });

  it('never store the like again, until that is taken back', async () => {
    const memory_id = await hold('Alice owns a red boat in Kiel');
    await target.call('review_memory', { memory_id, decision: 'never' });
    const like = ['alice owns a red boat, in Kiel!', 'In Kiel Alice owns a red boat'];
    const other = ['Alice owns a blue boat in Kiel', 'Alice owns a red boat in Bonn'];

    for (const text of like) {
      const result = await say('user', text);
      expect(result).toMatchObject({ event: 'NOOP', reason: expect.stringContaining(memory_id) });
    }
    for (const text of other) expect(await say('user', text)).toMatchObject({ event: 'ADD' });
    await target.call('review_memory', { memory_id, decision: 'decline' });

    expect(await say('user', like[0] ?? '')).toMatchObject({ event: 'ADD' });
    expect((await target.call('get_history', { memory_id })).results).toHaveLength(2);
  });

  it('forget what they refused with the entity', async () => {
    const memory_id = await hold('Alice owns a boat');
    await target.call('review_memory', { memory_id, decision: 'never' });

    await target.call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    expect(await say('user', 'Alice owns a boat')).toMatchObject({ event: 'ADD' });
  });

  it('refuse what is recalled, unknown or another project’s, and a wrong decision', async () => {
    const active = (await say('user', 'Alice drinks tea'))?.id;
    const memory_id = await hold('Alice owns a boat');
    const elsewhere = { memory_id, project_id: target.engine.projects.foreign.project_id };
    const unknown = '11111111-1111-7111-8111-111111111111';
    const codeOf = async (input: Record<string, unknown>) =>
      (await target.refusal('review_memory', { decision: 'accept', ...input })).code;

    expect(await codeOf({ memory_id: active })).toBe('conflict');
    expect(await codeOf({ memory_id: unknown })).toBe('not_found');
    expect(await codeOf({ memory_id: unknown, decision: 'decline' })).toBe('not_found');
    expect(await codeOf(elsewhere)).toBe('not_found');
    expect(await codeOf({ memory_id, decision: 'maybe' })).toBe('invalid');
    expect(await codeOf({ memory_id, decision: 'never', text: 'x' })).toBe('invalid');
    expect(await waiting()).toHaveLength(1);
  });

  it('are read, but not decided, by a reader', async () => {
    const memory_id = await hold('Alice owns a boat');
    const reader = target.as({ read_only: true });

    const refusal = await reader.refusal('review_memory', { memory_id, decision: 'accept' });

    expect(refusal.code).toBe('forbidden');
    expect((await reader.call('list_reviews', {})).total).toBe(1);
  });
});
