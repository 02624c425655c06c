import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Input, type Target, targets } from '../support/targets.ts';

/** These are no tools. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(faces)('the changes of all memories, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Input = { user_id: 'alice' }): Promise<string> {
    const { results } = await target.call('add_memory', { text, ...more });
    return String(results[0]?.id);
  }

  async function changes(input: Input = {}) {
    const { results } = await target.call('list_history', input);
    return results.map(({ event, old_memory, new_memory }) => [event, new_memory ?? old_memory]);
  }

  it('are listed newest first, with those of deleted memories', async () => {
    const id = await remember('One');
    const gone = await remember('Two');
    await target.call('update_memory', { memory_id: id, text: 'Uno' });
    await target.call('delete_memory', { memory_id: gone });

    const { results, total } = await target.call('list_history', {});

    expect(results.map(({ memory_id, event }) => [memory_id, event])).toEqual([
      [gone, 'DELETE'],
      [id, 'UPDATE'],
      [gone, 'ADD'],
      [id, 'ADD'],
    ]);
    expect(total).toBe(4);
    const one = await target.call('get_history', { memory_id: id });
    expect(results.filter(({ memory_id }) => memory_id === id).reverse()).toEqual(one.results);
  });

  it('can be those of one entity, or of several at once', async () => {
    await remember('One', { user_id: 'alice' });
    await remember('Two', { user_id: 'alice', agent_id: 'helper' });
    await remember('Three', { user_id: 'bob', agent_id: 'helper' });

    expect(await changes({ user_id: 'alice' })).toEqual([
      ['ADD', 'Two'],
      ['ADD', 'One'],
    ]);
    expect(await changes({ user_id: 'alice', agent_id: 'helper' })).toEqual([['ADD', 'Two']]);
    expect(await changes({ agent_id: '*' })).toHaveLength(2);
    expect(await changes({ run_id: '*' })).toEqual([]);
  });

  it('come in pages, whose size is also called limit', async () => {
    for (const text of ['One', 'Two', 'Three']) await remember(text);

    const first = await target.call('list_history', { page: 1, limit: 2 });
    const second = await target.call('list_history', { page: 2, page_size: 2 });

    expect([first.total, first.results.length, second.total]).toEqual([3, 2, 3]);
    const texts = [...first.results, ...second.results].map(({ new_memory }) => new_memory);
    expect(texts).toEqual(['Three', 'Two', 'One']);
  });

  it('are those of one project', async () => {
    await remember('One');
    const { project_id } = target.engine.projects.sibling;

    expect(await changes({ project_id })).toEqual([]);
  });

  it('leave out what waits for a review, until it is accepted', async () => {
    const { org_id, project_id } = target.engine.projects.own;
    await target.call('update_project', { org_id, project_id, trust_min: 'user' });
    const memory_id = await remember('Owns a boat', { user_id: 'alice', source_class: 'tool' });

    const before = await changes();
    await target.call('review_memory', { memory_id, decision: 'accept' });

    expect(before).toEqual([]);
    expect((await changes()).at(-1)).toEqual(['ADD', 'Owns a boat']);
  });

  it('are gone when their memories are erased', async () => {
    const id = await remember('One');
    await remember('Two', { user_id: 'bob' });
    await target.call('erase_memories', { memory_ids: [id] });
    await target.call('delete_entity', { entity_type: 'user', entity_id: 'bob' });

    expect(await changes()).toEqual([]);
  });

  it.each([
    ['a page before the first', { page: 0 }, 'page'],
    ['a page of too many', { limit: 1001 }, '1000'],
    ['an empty id', { user_id: '' }, 'user_id'],
  ])('are refused for %s', async (_, input, word) => {
    const refusal = await target.refusal('list_history', input);

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining(word) });
  });
});

describe.each(faces)('the versions of a memory, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'alice' });
    return String(results[0]?.id);
  }

  it('say what the store held and when, oldest first', async () => {
    const { clock } = target.engine;
    const first = clock.now();
    const id = await remember('Lives in Paris');
    clock.advance(1000);
    const second = clock.now();
    const change = { text: 'Lives in Rome', valid_from: '2026-05-01T00:00:00Z' };
    await target.call('update_memory', { memory_id: id, ...change });

    const { results } = await target.call('get_versions', { memory_id: id });

    const superseded_at = '2026-05-01T00:00:00.000Z';
    expect(results).toMatchObject([
      { id, memory: 'Lives in Paris', recorded_from: first, recorded_until: second, superseded_at },
      { id, memory: 'Lives in Rome', recorded_from: second, recorded_until: null },
    ]);
  });

  it('stay when the memory is deleted, and end then', async () => {
    const id = await remember('Lives in Paris');
    target.engine.clock.advance(1000);
    await target.call('delete_memory', { memory_id: id });

    const { results } = await target.call('get_versions', { memory_id: id });

    expect(results).toMatchObject([{ recorded_until: target.engine.clock.now() }]);
  });

  it('are gone when the memory is erased', async () => {
    const id = await remember('Lives in Paris');
    await target.call('update_memory', { memory_id: id, text: 'Lives in Rome' });
    await target.call('erase_memories', { memory_ids: [id] });

    const refusal = await target.refusal('get_versions', { memory_id: id });

    expect(refusal).toMatchObject({ code: 'not_found' });
  });

  it('are hidden from another project, and a wrong id is refused', async () => {
    const id = await remember('Lives in Paris');
    const { project_id } = target.engine.projects.sibling;

    const hidden = await target.refusal('get_versions', { memory_id: id, project_id });
    const wrong = await target.refusal('get_versions', { memory_id: 'x' });

    expect(hidden).toMatchObject({ code: 'not_found' });
    expect(wrong).toMatchObject({ code: 'invalid', message: expect.stringContaining('memory_id') });
  });
});
