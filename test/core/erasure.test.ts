import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Input, OperationName } from '../../src/contract.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';
import { findStoredText } from '../support/stored-text.ts';

let engine: Engine;

beforeEach(async () => {
  engine = await startEngine();
  const { org_id, project_id } = engine.projects.own;
  await call('create_webhook', { org_id, project_id, url: 'https://example.com/hook' });
});
afterEach(async () => {
  await engine.stop();
});

function call<N extends OperationName>(name: N, input: Input<N> | object) {
  const { org_id, project_id } = engine.projects.own;
  return engine.invoke(name, { org_id, project_id, ...input }, { caller: owner, wait_ms: 10_000 });
}

async function add(text: string, owners: object = { user_id: 'zoe' }): Promise<string> {
  const { results } = await call('add_memory', { text, ...owners });
  return results[0]?.id ?? '';
}

const found = (words: RegExp) => findStoredText(engine.data_dir, words);

/** Every operation that copies the text of a memory, and the id of that memory. */
const copies: Record<string, () => Promise<string>> = {
  'an add': () => add('Zanzibar'),
  'an add with metadata': () => add('Zanzibar', { user_id: 'zoe', metadata: { Zanzibar: 'x' } }),
  'an add from messages': async () => {
    const { results } = await call('add_memory', {
      messages: [{ role: 'user', content: 'I live in Zanzibar.', name: 'zoe' }],
      user_id: 'zoe',
    });
    return results[0]?.id ?? '';
  },
  'two facts of one message': async () => {
    const { results } = await call('add_memory', {
      messages: 'I live in Zanzibar. My sister is called Mia.',
      user_id: 'zoe',
    });
    expect(results.length).toBeGreaterThan(1);
    return results.find(({ memory }) => memory.includes('Zanzibar'))?.id ?? '';
  },
  'an update': async () => {
    const memory_id = await add('Zanzibar');
    await call('update_memory', { memory_id, text: 'Pemba', metadata: { was: 'Zanzibar' } });
    return memory_id;
  },
  'a batch of updates': async () => {
    const memory_id = await add('Pemba');
    await call('batch_update_memories', { memories: [{ memory_id, text: 'Zanzibar' }] });
    return memory_id;
  },
  'the same add twice': async () => {
    await add('Zanzibar');
    const { results } = await call('add_memory', { text: 'Zanzibar', user_id: 'zoe' });
    return results[0]?.id ?? '';
  },
  'a deletion': async () => {
    const memory_id = await add('Zanzibar');
    await call('delete_memory', { memory_id });
    return memory_id;
  },
  'a deletion in a batch': async () => {
    const memory_id = await add('Zanzibar');
    await call('batch_delete_memories', { memory_ids: [memory_id] });
    return memory_id;
  },
  feedback: async () => {
    const memory_id = await add('Zanzibar');
    await call('add_feedback', { memory_id, feedback: 'NEGATIVE', feedback_reason: 'Zanzibar!' });
    return memory_id;
  },
  relations: async () => {
    const { results } = await call('add_memory', {
      text: 'Zoe lives in Zanzibar',
      user_id: 'zoe',
      enable_graph: true,
    });
    return results[0]?.id ?? '';
  },
  'an export': async () => {
    const memory_id = await add('Lives in Zanzibar');
    const items = { type: 'object', properties: { fact: { type: 'string' } } };
    const schema = { type: 'object', properties: { facts: { type: 'array', items } } };
    const { id } = await call('create_export', { schema, user_id: 'zoe' });
    await eventually(async () => {
      const { status } = await call('get_export', { memory_export_id: id });
      expect(status).toBe('SUCCEEDED');
    });
    expect(await found(/zanzib/i)).toContain('exports.data');
    return memory_id;
  },
};

describe.each(Object.entries(copies))('what is left of %s', (_name, make) => {
  it('after its memory is erased is nothing, and the receipt says so', async () => {
    const memory_id = await make();
    expect(await found(/zanzib/i)).not.toEqual([]);

    const { receipt } = await call('erase_memories', { memory_ids: [memory_id] });

    expect(await found(/zanzib/i)).toEqual([]);
    expect(await found(new RegExp(memory_id))).toEqual([]);
    expect(receipt.remaining).toEqual({});
    expect(receipt.removed).toMatchObject({ history: expect.any(Number) });
  });

  it.each([
    ['by its user', { user_id: 'zoe' }],
    ['by a filter', { filters: { OR: [{ user_id: 'zoe' }, { metadata: { a: 1 } }] } }],
    ['by its id', null],
  ])('after it was deleted and then erased %s is nothing', async (_how, conditions) => {
    const memory_id = await make();
    await call('delete_memory', { memory_id }).catch(() => {}); // deleted already

    const erased = await call('erase_memories', conditions ?? { memory_ids: [memory_id] });
    const undone = call('undo_changes', { memory_id, force: true });

    await expect(undone).rejects.toMatchObject({ code: 'not_found' });
    expect(await found(/zanzib/i)).toEqual([]);
    expect(await found(new RegExp(memory_id))).toEqual([]);
    expect(erased.message).toContain('that were deleted before');
    const { removed, remaining } = erased.receipt;
    expect(remaining).toEqual({});
    expect(removed).toMatchObject({
      history: expect.any(Number),
      memory_versions: expect.any(Number),
    });
  });

  it('after its entity is deleted is nothing, and the receipt says so', async () => {
    await make();

    const { receipt } = await call('delete_entity', { entity_type: 'user', entity_id: 'zoe' });

    expect(await found(/zanzib|zoe/i)).toEqual([]);
    expect(receipt.remaining).toEqual({});
    expect(receipt.removed).toMatchObject({ entities: 1, history: expect.any(Number) });
  });
});

describe('deleting an entity', () => {
  it('removes its id from searches, lists and jobs that named it', async () => {
    await add('Zanzibar');
    await call('search_memories', { query: 'Where?', filters: { OR: [{ user_id: 'zoe' }] } });
    await call('get_memories', { filters: { user_id: { in: ['zoe', 'ann'] } } });
    await call('create_profile_job', { operation: 'trigger', entity_id: 'zoe' });

    await call('delete_entity', { entity_type: 'user', entity_id: 'zoe' });

    expect(await found(/zoe/)).toEqual([]);
  });

  it('leaves what others said, even in the same words', async () => {
    await add('Likes tea');
    const other = await add('Likes tea', { user_id: 'ann' });
    const named = await add('Has a friend', { user_id: 'ann', metadata: { friend: 'zoe' } });

    await call('delete_entity', { entity_type: 'user', entity_id: 'zoe' });
    const history = await call('get_history', { memory_id: other });
    const { results } = await call('list_events', { event_type: 'ADD' });

    expect(history.results).toMatchObject([{ new_memory: 'Likes tea', input: [{}] }]);
    expect(await call('get_memory', { memory_id: named })).toMatchObject({ user_id: 'ann' });
    expect(results.filter(({ payload }) => payload.messages !== undefined)).toHaveLength(2);
  });
});

describe('erasing memories', () => {
  it('takes all that match a filter, and counts what was where', async () => {
    const kept = await add('Pemba', { user_id: 'ann' });
    for (const text of ['Zanzibar', 'Zanzibar cloves']) await add(text);

    const erased = await call('erase_memories', { user_id: 'zoe' });

    expect(erased).toMatchObject({ deleted: 2, receipt: { remaining: {} } });
    expect(erased.receipt.removed).toMatchObject({
      memories: 2,
      history: 2,
      memory_fts: 2,
      events: 2,
      deliveries: 2,
    });
    expect(erased.receipt.outside).toContain('backups and exported files');
    expect(await found(/zanzib/i)).toEqual([]);
    expect(await call('get_memory', { memory_id: kept })).toMatchObject({ memory: 'Pemba' });
  });

  it.each<[string, object]>([
    ['a user', { user_id: 'zoe' }],
    ['an agent', { agent_id: 'bot' }],
    ['metadata', { metadata: { topic: 'sea' } }],
    ['a time', { filters: { created_at: { lte: '2999-01-01' }, user_id: 'zoe' } }],
    ['a word', { filters: { text: { icontains: 'zanzibar' } } }],
    ['a flag', { filters: { pinned: true } }],
    ['a status', { filters: { status: 'active', agent_id: 'bot' } }],
  ])('by %s takes deleted memories that matched when they were deleted', async (_by, given) => {
    const about = { user_id: 'zoe', agent_id: 'bot', metadata: { topic: 'sea' }, pinned: true };
    const deleted = await add('Zanzibar', about);
    const other = await add('Pemba', { user_id: 'ann', agent_id: 'aide' });
    for (const memory_id of [deleted, other]) await call('delete_memory', { memory_id });

    const { receipt } = await call('erase_memories', given);
    await call('undo_changes', { memory_id: other });

    expect(receipt).toMatchObject({ removed: { memory_versions: 1 }, remaining: {} });
    expect(await found(/zanzib/i)).toEqual([]);
    expect(await call('get_memory', { memory_id: other })).toMatchObject({ memory: 'Pemba' });
  });

  it('spares a deleted memory that matched only before it was changed', async () => {
    const memory_id = await add('Zanzibar', { user_id: 'zoe', metadata: { topic: 'sea' } });
    await call('update_memory', { memory_id, metadata: { topic: 'land' } });
    await call('delete_memory', { memory_id });

    await call('erase_memories', { metadata: { topic: 'sea' } });
    await call('undo_changes', { memory_id });

    expect(await call('get_memory', { memory_id })).toMatchObject({ memory: 'Zanzibar' });
  });

  it('takes what was merged into its memory and deleted then', async () => {
    const kept = await add('Grows cloves in Zanzibar');
    const merged = await add('Grows cloves near Zanzibar');
    const { org_id, project_id } = engine.projects.own;
    const project = await engine.store.projects.find({ org_id, project_id });
    const patch = { replaced_by: kept, updated_at: engine.clock.now() };
    await engine.store.transaction(async ({ memories }) => {
      if (project !== null) await memories.update(project, merged, patch);
    });
    await call('delete_memory', { memory_id: merged });

    await call('erase_memories', { memory_ids: [kept] });

    expect(await found(/zanzib/i)).toEqual([]);
  });

  it('finds a deleted memory in the history when its versions are gone', async () => {
    const memory_id = await add('Zanzibar', { user_id: 'zoe', metadata: { topic: 'sea' } });
    await call('delete_memory', { memory_id });
    await engine.store.transaction(({ versions }) => versions.deleteEndedBefore('2999-01-01', 10));

    const byFlag = await call('erase_memories', { user_id: 'zoe', filters: { pinned: false } });
    const ofOthers = await call('erase_memories', { user_id: 'ann', filters: { pinned: false } });
    expect(await found(/zanzib/i)).not.toEqual([]);
    const byMetadata = await call('erase_memories', { metadata: { topic: 'sea' } });

    const outside = byFlag.receipt.outside.filter((place) => place.includes('which lacks pinned'));
    expect(outside).toEqual([expect.stringMatching(/^1 deleted memories/)]);
    expect(ofOthers.receipt.outside.join()).not.toContain('lacks');
    expect(byMetadata.receipt.outside.join()).not.toContain('lacks');
    expect(byMetadata.receipt.removed).toMatchObject({ history: 2 });
    expect(await found(/zanzib/i)).toEqual([]);
  });

  it('stops an add that is under way with the same message', async () => {
    const content = 'I live in Zanzibar.';
    const first = await call('add_memory', { messages: content, user_id: 'zoe' });
    await engine.worker.stop();
    const { event_id } = await engine.invoke(
      'add_memory',
      { ...scopeOf(engine), messages: content.repeat(400), user_id: 'zoe' },
      { caller: owner },
    );
    const again = await engine.invoke(
      'add_memory',
      { ...scopeOf(engine), messages: content, user_id: 'zoe' },
      { caller: owner },
    );

    await call('erase_memories', { memory_ids: [first.results[0]?.id ?? ''] });

    expect(await call('get_event', { event_id: again.event_id })).toMatchObject({
      status: 'FAILED',
      payload: {},
    });
    expect(await call('get_event', { event_id })).toMatchObject({ status: 'PENDING' });
  });

  it('refuses a call that names nothing, or both ids and conditions', async () => {
    const memory_ids = [await add('Zanzibar')];

    const answers = [
      {},
      { filters: {} },
      { memory_ids, filters: { user_id: 'zoe' } },
      { memory_ids: [] },
    ];

    for (const input of answers) {
      await expect(call('erase_memories', input)).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await found(/Zanzibar/)).not.toEqual([]);
  });

  it('by ids takes only those of the entities that the call names', async () => {
    const [own, deleted] = [await add('Zanzibar'), await add('Zanzibar cloves')];
    await call('delete_memory', { memory_id: deleted });
    const memory_ids = [own, deleted];

    const others = call('erase_memories', { memory_ids, user_id: 'ann' });
    await expect(others).rejects.toMatchObject({ code: 'not_found' });
    const erased = await call('erase_memories', { memory_ids, user_id: 'zoe' });

    expect(erased).toMatchObject({ deleted: 1, receipt: { removed: { history: 3 } } });
    expect(await found(/zanzib/i)).toEqual([]);
  });

  it('erases nothing if one id is unknown or of another project', async () => {
    const { org_id, project_id } = engine.projects.sibling;
    const own = await add('Zanzibar');
    const foreign = await add('Zanzibar', { user_id: 'zoe', org_id, project_id });

    for (const unknown of [foreign, '00000000-0000-7000-8000-000000000000']) {
      const erasing = call('erase_memories', { memory_ids: [own, unknown] });
      await expect(erasing).rejects.toMatchObject({ code: 'not_found' });
    }

    expect(await call('get_memory', { memory_id: own })).toMatchObject({ memory: 'Zanzibar' });
  });

  it('is refused to a key that may only read', async () => {
    const memory_ids = [await add('Zanzibar')];
    const caller = { ...owner, read_only: true };

    const erasing = engine.invoke('erase_memories', { memory_ids }, { caller });

    await expect(erasing).rejects.toMatchObject({ code: 'forbidden' });
  });
});

function scopeOf({ projects: { own } }: Engine) {
  return { org_id: own.org_id, project_id: own.project_id };
}
