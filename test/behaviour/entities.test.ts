import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

describe.each(targets)('entities, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, ids: Record<string, string>): Promise<void> {
    await target.call('add_memory', { text, ...ids });
  }

  it('are listed with live counts of their memories', async () => {
    await remember('One', { user_id: 'alice', agent_id: 'helper' });
    await remember('Two', { user_id: 'alice' });
    await remember('Three', { user_id: 'bob', run_id: 'monday' });
    await target.call('delete_all_memories', { user_id: 'bob' });

    const { results, total } = await target.call('list_entities', {});

    const counts = results.map(({ type, id, total_memories }) => [type, id, total_memories]);
    expect(total).toBe(4);
    expect(counts).toEqual(
      expect.arrayContaining([
        ['user', 'alice', 2],
        ['user', 'bob', 0],
        ['agent', 'helper', 1],
        ['run', 'monday', 0],
      ]),
    );
  });

  it('can be listed by type and page', async () => {
    for (const name of ['a', 'b', 'c']) await remember('Hello', { user_id: name, app_id: 'app' });

    const users = await target.call('list_entities', { entity_type: 'user', page_size: 2 });
    const rest = await target.call('list_entities', {
      entity_type: 'user',
      page_size: 2,
      page: 2,
    });

    expect(users.total).toBe(3);
    expect([...users.results, ...rest.results].map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
  });

  it('are deleted with everything that carries their id, and nothing else', async () => {
    const { results } = await target.call('add_memory', {
      text: 'Shared by alice and helper',
      user_id: 'alice',
      agent_id: 'helper',
    });
    const shared = results[0]?.id ?? '';
    await remember('Only of alice', { user_id: 'alice' });
    await remember('Only of helper', { agent_id: 'helper' });

    const { deleted } = await target.call('delete_entity', {
      entity_type: 'user',
      entity_id: 'alice',
    });

    const left = await target.call('get_memories', { filters: { agent_id: '*' } });
    const entities = await target.call('list_entities', {});
    expect(deleted).toBe(2);
    expect(left.results.map(({ memory }) => memory)).toEqual(['Only of helper']);
    expect(entities.results.map(({ id, total_memories }) => [id, total_memories])).toEqual([
      ['helper', 1],
    ]);
    expect((await target.refusal('get_history', { memory_id: shared })).code).toBe('not_found');
  });

  it('leave no text behind in events when they are deleted', async () => {
    await remember('The code word is xylophone', { user_id: 'alice' });

    await target.call('delete_entity', { entity_type: 'user', entity_id: 'alice' });

    const { results } = await target.call('list_events', {});
    expect(JSON.stringify(results)).not.toContain('xylophone');
  });

  it('answer not found when unknown or of another project', async () => {
    await remember('One', { user_id: 'alice' });
    const elsewhere = target.as({ project_id: target.engine.projects.sibling.project_id });

    const unknown = await target.refusal('delete_entity', {
      entity_type: 'user',
      entity_id: 'nobody',
    });
    const hidden = await elsewhere.refusal('delete_entity', {
      entity_type: 'user',
      entity_id: 'alice',
    });

    expect(unknown.code).toBe('not_found');
    expect(hidden).toEqual(unknown);
    expect((await elsewhere.call('list_entities', {})).results).toEqual([]);
    expect((await target.call('list_entities', {})).total).toBe(1);
  });

  it('refuse an unknown type and name those allowed', async () => {
    const refusal = await target.refusal('delete_entity', { entity_type: 'pet', entity_id: 'x' });

    expect(refusal).toMatchObject({ code: 'invalid', message: expect.stringContaining('agent') });
    expect(refusal.message).toContain('Invalid entity type');
  });

  it('are not deleted by a reader', async () => {
    await remember('One', { user_id: 'alice' });
    const reader = target.as({ read_only: true });

    const input = { entity_type: 'user', entity_id: 'alice' };

    expect((await reader.refusal('delete_entity', input)).code).toBe('forbidden');
    expect((await reader.call('list_entities', {})).total).toBe(1);
  });
});
