import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Target, targets } from '../support/targets.ts';

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
      ...{ text, user_id: 'alice', enable_graph: true },
      ...more,
    });
    return results[0]?.id ?? '';
  }

  /** What a search tells of entities, in words. */
  async function related(query: string, user_id = 'alice'): Promise<string[] | undefined> {
    const { relations } = await target.call('search_memories', {
      ...{ query, user_id, threshold: 0 },
      ...{ enable_graph: true, output_format: 'v1.1' },
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

  it('comes with lists too', async () => {
    await remember('I speak Dutch');

    const { relations } = await target.call('get_memories', {
      ...{ user_id: 'alice', enable_graph: true },
    });

    expect(relations).toMatchObject([
      {
        ...{ source: 'alice', source_type: 'person', relationship: 'speaks' },
        ...{ target: 'Dutch', target_type: 'language', memory_id: expect.any(String) },
      },
    ]);
  });

  it('is made of what messages say as well', async () => {
    await target.call('add_memory', {
      messages: [{ role: 'user', content: 'Hi! I have a dog called Rex.' }],
      ...{ user_id: 'alice', enable_graph: true },
    });

    expect(await related('Rex dog')).toEqual(['alice dog Rex']);
  });

  it('shows nobody what others said', async () => {
    await remember('I live in Rome');
    await remember('I live in Milan', { user_id: 'bob' });

    expect(await related('live', 'bob')).toEqual(['bob lives_in Milan']);
  });
});
