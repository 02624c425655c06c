import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

/** Listing relations is not a tool. */
const faces = targets.filter(([name]) => name !== 'through MCP');

describe.each(targets)('the knowledge graph, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const { results } = await target.call('add_memory', {
      text,
      user_id: 'alice',
      enable_graph: true,
      ...more,
    });
    return results[0]?.id ?? '';
  }

  /** What a search tells of entities, in words. */
  async function related(query: string, user_id = 'alice'): Promise<string[] | undefined> {
    const { relations } = await target.call('search_memories', {
      query,
      user_id,
      threshold: 0,
      enable_graph: true,
      output_format: 'v1.1',
    });
    return relations?.map((edge) => `${edge.source} ${edge.relationship} ${edge.target}`);
  }

  it('tells with a search how the entities in its memories belong together', async () => {
    await remember('My sister Anna lives in Oslo');
    await remember('I work at Acme');

    expect(await related('Oslo')).toEqual(['alice sister Anna', 'Anna lives_in Oslo']);
  });

  it('tells nothing that was not asked for, and of nothing that was not to be in it', async () => {
    await remember('I live in Rome', { enable_graph: false });

    const plain = await target.call('search_memories', { query: 'Rome', user_id: 'alice' });

    expect(plain).not.toHaveProperty('relations');
    expect(await related('Rome')).toEqual([]);
  });

  it('changes with its memories, and goes with them', async () => {
    const memory_id = await remember('I live in Rome');

    await target.call('update_memory', { memory_id, text: 'I live in Milan' });
    expect(await related('live')).toEqual(['alice lives_in Milan']);

    await target.call('delete_memory', { memory_id });
    await remember('I live somewhere nice', { enable_graph: false });
    expect(await related('live')).toEqual([]);
  });

  it('comes back with the memories whose deletion is undone, and with no others', async () => {
    await remember('My sister Anna lives in Oslo');
    await remember('I work at Acme');
    const before = await related('Anna Oslo Acme');
    target.engine.clock.advance(1000);
    const { event_id } = await target.call('delete_all_memories', { user_id: 'alice' });
    const bob = await remember('I live in Turin', { user_id: 'bob' });
    await target.call('delete_memory', { memory_id: bob });

    await target.call('undo_changes', { event_id });

    expect(before).toHaveLength(3);
    expect(await related('Anna Oslo Acme')).toEqual(before);
    await remember('I live somewhere nice', { user_id: 'bob', enable_graph: false });
    expect(await related('live', 'bob')).toEqual([]);
  });

  it('is that of the text which comes back', async () => {
    const memory_id = await remember('I live in Rome');
    const as_of = target.engine.clock.now();
    target.engine.clock.advance(1000);
    await target.call('update_memory', { memory_id, text: 'I live in Milan' });
    await target.call('delete_memory', { memory_id });

    await target.call('undo_changes', { memory_id, as_of });

    expect(await related('live')).toEqual(['alice lives_in Rome']);
  });

  it('is erased with what was deleted', async () => {
    const memory_id = await remember('I live in Rome');
    await target.call('add_feedback', { memory_id, feedback: 'POSITIVE' });
    await target.call('delete_memory', { memory_id });

    const { receipt } = await target.call('erase_memories', { memory_ids: [memory_id] });

    expect(receipt).toMatchObject({ removed: { relations: 1, feedback: 1 }, remaining: {} });
  });

  it('comes with lists too', async () => {
    await remember('I speak Dutch');

    const { relations } = await target.call('get_memories', {
      user_id: 'alice',
      enable_graph: true,
    });

    expect(relations).toMatchObject([
      {
        source: 'alice',
        source_type: 'person',
        relationship: 'speaks',
        target: 'Dutch',
        target_type: 'language',
        memory_id: expect.any(String),
      },
    ]);
  });

  it('is made of what messages say as well', async () => {
    await target.call('add_memory', {
      messages: [{ role: 'user', content: 'Hi! I have a dog called Rex.' }],
      user_id: 'alice',
      enable_graph: true,
    });

    expect(await related('Rex dog')).toEqual(['alice dog Rex']);
  });

  it('shows nobody what others said', async () => {
    await remember('I live in Rome');
    await remember('I live in Milan', { user_id: 'bob' });

    expect(await related('live', 'bob')).toEqual(['bob lives_in Milan']);
  });
});

describe.each(faces)('the list of relations, %s', (_, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Record<string, unknown> = {}): Promise<string> {
    const input = { text, user_id: 'alice', enable_graph: true, ...more };
    return (await target.call('add_memory', input)).results[0]?.id ?? '';
  }

  it('shows the memories that state them, of one entity or of all', async () => {
    await remember('My sister Anna lives in Oslo');
    await remember('I work at Acme');
    await remember('I live in Rome', { user_id: 'bob' });

    const all = await target.call('list_relations', { limit: 2 });
    const { results, has_more } = await target.call('list_relations', { entity: 'Anna' });
    const ofBob = await target.call('list_relations', { user_id: 'bob' });

    expect(all.has_more).toBe(true);
    expect(all.results.map(({ target: end }) => end)).toEqual(['Rome', 'Acme']);
    expect(has_more).toBe(false);
    expect(results).toMatchObject([
      { source: 'alice', relationship: 'sister', target: 'Anna' },
      { source: 'Anna', target: 'Oslo', memory: 'My sister Anna lives in Oslo' },
    ]);
    expect(ofBob.results).toMatchObject([{ source: 'bob', target: 'Rome' }]);
  });

  it('shows nothing of what is deleted, expired, waiting, or in another project', async () => {
    const { own, foreign } = target.engine.projects;
    const memory_id = await remember('I live in Rome');
    await target.call('delete_memory', { memory_id });
    await remember('I live in Milan', { expiration_date: '2000-01-01' });
    const { project_id } = own;
    await target.call('update_project', { project_id, review: 'all', org_id: own.org_id });
    await remember('I live in Turin');
    const place = { org_id: foreign.org_id, project_id: foreign.project_id };
    const stranger = target.as({ ...place, bound_to: 'project' });

    const { results } = await target.call('list_relations', {});
    const refusals = [
      await target.refusal('list_relations', { limit: 1001 }),
      await stranger.refusal('list_relations', { project_id }),
    ];

    expect(results).toEqual([]);
    expect(refusals.map(({ code }) => code)).toEqual(['invalid', 'not_found']);
  });
});
