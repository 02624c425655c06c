import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Input, type Target, targets } from '../support/targets.ts';

const hour = 3600 * 1000;

describe.each(targets)('the past, %s', (name, start) => {
  const isMcp = name === 'through MCP'; // some operations are no tools
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  const now = () => target.engine.clock.now();

  /** The present, which an hour later is the past. */
  function pass(): string {
    const then = now();
    target.engine.clock.advance(hour);
    return then;
  }

  async function remember(text: string, more: Input = {}): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'ann', ...more });
    return String(results[0]?.id);
  }

  async function textsOf(input: Input = {}): Promise<string[]> {
    const { results } = await target.call('get_memories', { user_id: 'ann', ...input });
    return results.map(({ memory }) => String(memory)).toSorted();
  }

  async function found(query: string, input: Input = {}): Promise<string[]> {
    const { results } = await target.call('search_memories', { query, user_id: 'ann', ...input });
    return results.map(({ memory }) => String(memory));
  }

  it('lists, finds and returns memories as they were known then', async () => {
    const id = await remember('The cat is called Biscuit');
    const then = pass();
    await target.call('update_memory', { memory_id: id, text: 'The cat is called Pepper' });
    await remember('The garden has a pond');

    expect(await textsOf({ as_of: then })).toEqual(['The cat is called Biscuit']);
    expect(await textsOf()).toEqual(['The cat is called Pepper', 'The garden has a pond']);
    expect(await found('What is the cat called?', { as_of: then })).toEqual([
      'The cat is called Biscuit',
    ]);
    expect(await found('Is there a pond in the garden?', { as_of: then })).toEqual([]);
    const { memory } = await target.call('get_memory', { memory_id: id, as_of: then });
    expect(memory).toBe('The cat is called Biscuit');
  });

  it('holds what was deleted since, until it was deleted', async () => {
    const id = await remember('The cat is called Biscuit');
    const then = pass();
    await target.call('delete_memory', { memory_id: id });
    const after = pass();

    expect(await textsOf({ as_of: then })).toEqual(['The cat is called Biscuit']);
    expect(await found('cat', { as_of: then })).toEqual(['The cat is called Biscuit']);
    expect(await textsOf({ as_of: after })).toEqual([]);
    expect(await target.refusal('get_memory', { memory_id: id, as_of: after })).toMatchObject({
      code: 'not_found',
    });
  });

  it('is searched as the present is', async () => {
    await remember('The ferry to Gozo leaves from pier nine');
    await remember('Ann collects stamps', { metadata: { topic: 'hobby' } });
    await remember('The dentist is on 2026-05-04');
    const query = 'Which pier does the ferry leave from?';
    const present = await target.call('search_memories', { query, user_id: 'ann' });

    const then = await target.call('search_memories', { query, user_id: 'ann', as_of: now() });

    expect(then.results.map(({ memory }) => memory)).toEqual(
      present.results.map(({ memory }) => memory),
    );
    const filters = { metadata: { topic: 'hobby' } };
    expect(await textsOf({ filters, as_of: now() })).toEqual(['Ann collects stamps']);
  });

  it('gives the context of that time', async () => {
    const id = await remember('Ann is allergic to penicillin', { pinned: true });
    await remember('The cat is called Biscuit');
    const then = pass();
    await target.call('delete_memory', { memory_id: id });

    const context = await target.call('get_context', {
      query: 'What is the cat called?',
      user_id: 'ann',
      as_of: then,
    });

    expect(context.text).toContain('penicillin');
    expect(context.text).toContain('Biscuit');
  });

  it('is told in relations, lists of entities and exports', async () => {
    const id = await remember('Ann lives in Lisbon', { enable_graph: true });
    for (const text of ['Ann works at Acme', 'Ann plays the violin']) await remember(text);
    const as_of = pass();
    await target.call('update_memory', { memory_id: id, text: 'Ann lives in Oslo' });
    await remember('Ann has a boat');
    await remember('Bob collects stamps', { user_id: 'bob' });

    const targetsOf = async (input: Input) => {
      const graph = await target.call('get_memories', { ...input, enable_graph: true });
      return graph.relations?.map((relation) => relation.target);
    };
    expect(await targetsOf({ user_id: 'ann', as_of })).toContain('Lisbon');
    expect(await targetsOf({ user_id: 'ann' })).toContain('Oslo');
    const { results, total } = await target.call('list_entities', { as_of });
    expect([total, results]).toMatchObject([1, [{ id: 'ann', total_memories: 3 }]]);
    const fields = { type: 'array', items: { type: 'string' } };
    const schema = { type: 'object', properties: { memories: fields } };
    const job = await target.call('create_export', { schema, user_id: 'ann', as_of });
    const { data } = await eventually(async () => {
      const answer = await target.call('get_export', { memory_export_id: job.id });
      expect(answer.status).toBe('SUCCEEDED');
      return answer;
    });
    expect(JSON.stringify(data)).toContain('Lisbon');
    expect(JSON.stringify(data)).not.toMatch(/Oslo|boat/);
  });

  it.skipIf(isMcp)('is told in summaries and profiles', async () => {
    const id = await remember('Ann lives in Lisbon', { valid_until: '2030-01-01' });
    for (const text of ['Ann works at Acme', 'Ann plays the violin']) await remember(text);
    const as_of = pass();
    await target.call('update_memory', { memory_id: id, text: 'Ann lives in Oslo' });
    await remember('Ann has a boat');
    const user = { entity_type: 'user', entity_id: 'ann' };

    const summary = await target.call('get_summary', { user_id: 'ann', as_of });
    expect(summary).toMatchObject({ memory_count: 3, summary: expect.stringContaining('Lisbon') });
    expect(summary.summary).not.toMatch(/Oslo|boat/);
    const { profile, memory_count } = await target.call('get_profile', { ...user, as_of });
    expect(memory_count).toBe(3);
    expect(JSON.stringify(profile)).toMatch(/Lisbon/);
    expect(JSON.stringify(profile)).not.toMatch(/Oslo|boat/);
    const over = await target.call('get_summary', { user_id: 'ann', valid_at: '2031-01-01' });
    expect(over.memory_count).toBe(3);
  });

  it('has nothing before the first memory, and no future', async () => {
    const before = pass();
    await remember('The cat is called Biscuit');

    expect(await textsOf({ as_of: before })).toEqual([]);
    expect(await textsOf({ as_of: now().slice(0, 10) })).toEqual(['The cat is called Biscuit']);
    const refused = [
      ['2999-01-01', 'is in the future'],
      ['2026-13-45', 'neither a date, a time nor a snapshot'],
      ['2026-06-31', 'neither a date, a time nor a snapshot'],
      ['before-the-move', 'neither a date, a time nor a snapshot'],
    ];
    for (const [as_of, says] of refused) {
      expect(await target.refusal('get_memories', { user_id: 'ann', as_of })).toMatchObject({
        code: 'invalid',
        message: expect.stringContaining(says ?? ''),
      });
    }
  });

  it('keeps versions in order when the clock was set back', async () => {
    const id = await remember('one');
    const first = now();
    target.engine.clock.advance(-hour);
    await target.call('update_memory', { memory_id: id, text: 'two' });
    target.engine.clock.advance(3 * hour);

    expect(await textsOf({ as_of: first })).toEqual(['two']);
    const { results } = await target.call('get_history', { memory_id: id });
    expect(results.map(({ new_memory }) => new_memory)).toEqual(['one', 'two']);
  });

  it('shows nothing of others', async () => {
    await remember('The cat is called Biscuit', { user_id: 'bob' });

    expect(await textsOf({ as_of: now() })).toEqual([]);
    expect(await found('cat', { as_of: now() })).toEqual([]);
  });

  it('shows nothing that was erased', async () => {
    const id = await remember('The cat is called Biscuit');
    const then = pass();
    await target.call('update_memory', { memory_id: id, text: 'The cat is called Pepper' });
    await target.call('erase_memories', { memory_ids: [id] });

    expect(await textsOf({ as_of: then })).toEqual([]);
    await remember('Ann collects stamps');
    const later = pass();
    await target.call('delete_entity', { entity_type: 'user', entity_id: 'ann' });
    expect(await textsOf({ as_of: later })).toEqual([]);
  });

  describe('a snapshot', () => {
    it('names a time, which as_of takes', async () => {
      await remember('The cat is called Biscuit');
      await target.call('create_snapshot', { name: 'before the move' });
      pass();
      await remember('The garden has a pond');

      expect(await textsOf({ as_of: 'before the move' })).toEqual(['The cat is called Biscuit']);
      const { results } = await target.call('list_snapshots', {});
      expect(results).toMatchObject([{ name: 'before the move' }]);
      await target.call('delete_snapshot', { name: 'before the move' });
      const as_of = 'before the move';
      expect(await target.refusal('get_memories', { as_of })).toMatchObject({ code: 'invalid' });
    });

    it('has a name of its own', async () => {
      await target.call('create_snapshot', { name: 'start' });

      const codeOf = async (name: string) =>
        (await target.refusal('create_snapshot', { name })).code;
      expect(await codeOf('start')).toBe('conflict');
      for (const name of ['', '2026-01-01', 'x'.repeat(101)]) {
        expect(await codeOf(name)).toBe('invalid');
      }
      const unknown = await target.refusal('delete_snapshot', { name: 'end' });
      expect(unknown.code).toBe('not_found');
    });
  });

  it('is compared with the present', async () => {
    const cat = await remember('The cat is called Biscuit');
    const pond = await remember('The garden has a pond');
    const from = pass();
    await target.call('update_memory', { memory_id: cat, text: 'The cat is called Pepper' });
    await target.call('delete_memory', { memory_id: pond });
    const boat = await remember('The boat is red');
    await remember('The boat is blue', { user_id: 'bob' });

    const diff = await target.call('diff_changes', { from, user_id: 'ann' });

    expect(diff).toMatchObject({
      added: [{ id: boat, old_memory: null, memory: 'The boat is red' }],
      changed: [
        { id: cat, old_memory: 'The cat is called Biscuit', memory: 'The cat is called Pepper' },
      ],
      removed: [{ id: pond, old_memory: 'The garden has a pond', memory: null }],
      has_more: false,
    });
    const one = await target.call('diff_changes', { from, user_id: 'ann', limit: 1 });
    expect(one.has_more).toBe(true);
    const backwards = await target.refusal('diff_changes', { from: now(), to: from });
    expect(backwards.code).toBe('invalid');
  });

  describe('an undo', () => {
    const undo = (input: Input = {}) => target.call('undo_changes', input);

    it('takes back the last change, and can itself be taken back', async () => {
      const id = await remember('The cat is called Biscuit');
      pass();
      await target.call('update_memory', { memory_id: id, text: 'The cat is called Pepper' });
      pass();

      const undone = await undo();
      expect(undone).toMatchObject({
        changes: [{ id, event: 'UPDATE', memory: 'The cat is called Biscuit' }],
        conflicts: [],
      });
      expect(await found('What is the cat called?')).toEqual(['The cat is called Biscuit']);
      pass();
      await undo({ event_id: undone.event_id });
      expect(await textsOf()).toEqual(['The cat is called Pepper']);
    });

    it('passes over an update that changes nothing, which leaves no trace', async () => {
      const text = 'The meeting room is C3';
      const metadata = { floor: 3, house: 'east' };
      const id = await remember('The meeting room is C1', { metadata, pinned: true });
      pass();
      await target.call('update_memory', { memory_id: id, text });
      pass();
      const traces = async () => [
        (await target.call('get_history', { memory_id: id })).results.length,
        (await target.call('list_events', { event_type: 'UPDATE' })).total,
        (await target.call('get_memory', { memory_id: id })).updated_at,
      ];
      const before = await traces();

      const nothing: Input[] = [
        { text },
        { expiration_date: null },
        { pinned: true },
        { metadata: { house: 'east', floor: 3 } },
        { text, pinned: true, valid_from: null },
      ];
      for (const same of nothing) {
        const answer = await target.call('update_memory', { memory_id: id, ...same });
        expect(answer).toMatchObject({ id, memory: text, pinned: true, metadata });
      }
      await target.call('batch_update_memories', { memories: [{ memory_id: id, text }] });

      expect(await traces()).toEqual(before);
      expect(await undo()).toMatchObject({
        changes: [{ id, event: 'UPDATE', memory: 'The meeting room is C1', old_memory: text }],
      });
    });

    it('tells what it would do in a dry run, and does nothing', async () => {
      const id = await remember('The cat is called Biscuit');

      expect(await undo({ dry_run: true })).toMatchObject({
        dry_run: true,
        event_id: null,
        changes: [{ id, event: 'DELETE', old_memory: 'The cat is called Biscuit', memory: null }],
      });
      expect(await textsOf()).toEqual(['The cat is called Biscuit']);
    });

    it('brings a deleted memory back under its id, with all that it was', async () => {
      const more = { metadata: { topic: 'pets' }, pinned: true, immutable: true };
      const id = await remember('The cat is called Biscuit', more);
      const before = await target.call('get_memory', { memory_id: id });
      pass();
      await target.call('delete_memory', { memory_id: id });
      await undo({ memory_id: id });

      const {
        updated_at: _,
        source: _s,
        ...after
      } = await target.call('get_memory', {
        memory_id: id,
      });
      expect(before).toMatchObject(after);
      expect(await found('cat')).toEqual(['The cat is called Biscuit']);
      const { results } = await target.call('get_history', { memory_id: id });
      expect(results.map(({ event }) => event)).toEqual(['ADD', 'DELETE', 'ADD']);
    });

    it('brings its rating back, and says in the history when it did so', async () => {
      const id = await remember('The cat is called Biscuit');
      const { created_at } = await target.call('get_memory', { memory_id: id });
      const rating = await target.call('add_feedback', { memory_id: id, feedback: 'POSITIVE' });
      pass();
      await target.call('delete_memory', { memory_id: id });
      pass();
      await undo({ memory_id: id });

      const { results } = await target.call('get_history', { memory_id: id });
      expect(results.at(-1)).toMatchObject({ event: 'ADD', created_at: now() });
      expect(await target.call('get_memory', { memory_id: id })).toMatchObject({ created_at });
      const again = await target.call('add_feedback', { memory_id: id, feedback: 'NEGATIVE' });
      expect(again.id).toBe(rating.id);
    });

    it('takes back all that an event changed', async () => {
      const ids = [await remember('one'), await remember('two'), await remember('three')];
      const { event_id } = await target.call('delete_all_memories', { user_id: 'ann' });
      pass();

      const { changes } = await undo({ event_id });

      expect(changes.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(await textsOf()).toEqual(['one', 'three', 'two']);
    });

    it('takes back all changes since a time, of one user', async () => {
      const cat = await remember('The cat is called Biscuit');
      const pond = await remember('The garden has a pond');
      const since = pass();
      await target.call('update_memory', { memory_id: cat, text: 'The cat is called Pepper' });
      await target.call('update_memory', { memory_id: cat, pinned: true });
      await target.call('delete_memory', { memory_id: pond });
      await remember('The boat is red');
      await remember('The boat is blue', { user_id: 'bob' });

      await undo({ since, user_id: 'ann' });

      expect(await textsOf()).toEqual(['The cat is called Biscuit', 'The garden has a pond']);
      expect(await textsOf({ filters: { pinned: true } })).toEqual([]);
      expect(await textsOf({ user_id: 'bob' })).toEqual(['The boat is blue']);
    });

    it('makes one memory what it was at a time', async () => {
      const id = await remember('one');
      const then = pass();
      for (const text of ['two', 'three']) {
        await target.call('update_memory', { memory_id: id, text });
        pass();
      }

      await undo({ memory_id: id, as_of: then });

      expect(await textsOf()).toEqual(['one']);
    });

    it('names what changed again later and leaves it alone, unless it is forced', async () => {
      const id = await remember('one');
      pass();
      await target.call('update_memory', { memory_id: id, text: 'two' });
      const { results } = await target.call('list_events', { event_type: 'UPDATE' });
      const event_id = results[0]?.id;
      pass();
      await target.call('update_memory', { memory_id: id, text: 'three' });

      expect(await undo({ event_id })).toMatchObject({
        changes: [],
        event_id: null,
        conflicts: [{ id, reason: 'it changed again later' }],
      });
      expect(await textsOf()).toEqual(['three']);
      await undo({ event_id, force: true });
      expect(await textsOf()).toEqual(['one']);
    });

    it('does not bring back what was stored again meanwhile', async () => {
      const id = await remember('The cat is called Biscuit');
      pass();
      await target.call('delete_memory', { memory_id: id });
      const again = await remember('The cat is called Biscuit');

      const { changes, conflicts } = await undo({ memory_id: id });

      expect(changes).toEqual([]);
      expect(conflicts).toEqual([{ id, reason: `memory ${again} has the same text` }]);
    });

    it('does not bring back what was deleted long ago, or was erased', async () => {
      const old = await remember('one');
      const gone = await remember('two');
      await target.call('delete_memory', { memory_id: old });
      await target.call('erase_memories', { memory_ids: [gone] });
      target.engine.clock.advance(31 * 24 * hour);

      expect((await undo({ memory_id: old })).conflicts).toMatchObject([
        { id: old, reason: expect.stringContaining('more than 30 days ago') },
      ]);
      const erased = await target.refusal('undo_changes', { memory_id: gone });
      expect(erased.code).toBe('not_found');
    });

    it('does not bring back what was deleted and then erased with all that matched', async () => {
      const gone = await remember('one');
      const kept = await remember('two', { user_id: 'bob' });
      for (const memory_id of [gone, kept]) await target.call('delete_memory', { memory_id });

      const { receipt } = await target.call('erase_memories', { user_id: 'ann' });

      expect(receipt).toMatchObject({ removed: { memory_versions: 1, history: 2 }, remaining: {} });
      const refused = await target.refusal('undo_changes', { memory_id: gone, force: true });
      expect(refused.code).toBe('not_found');
      expect((await undo({ memory_id: kept })).changes).toMatchObject([{ id: kept }]);
    });

    it('takes back what a conversation changed', async () => {
      const tell = (content: string) =>
        target.call('add_memory', {
          messages: [{ role: 'user', content }],
          user_id: 'ann',
          async_mode: false,
        });
      await tell('I live in Lisbon.');
      const before = await textsOf();
      pass();
      const { event_id } = await tell('I have moved to Oslo. My sister Mia is a pilot.');
      expect(await textsOf()).not.toEqual(before);

      await undo({ event_id });

      expect(await textsOf()).toEqual(before);
    });

    it('refuses what it can not tell', async () => {
      const id = await remember('one');
      const refused: [Input, string][] = [
        [{ memory_id: id, since: now() }, 'invalid'],
        [{ as_of: now() }, 'invalid'],
        [{ since: '2999-01-01' }, 'invalid'],
        [{ event_id: '0190c8f5-0000-7000-8000-000000000000' }, 'not_found'],
        [{ memory_id: '0190c8f5-0000-7000-8000-000000000000' }, 'not_found'],
        [{ memory_id: id, user_id: 'bob' }, 'not_found'],
      ];
      for (const [input, code] of refused) {
        const refusal = await target.refusal('undo_changes', input);
        expect(refusal.code, JSON.stringify(input)).toBe(code);
      }
      expect(await textsOf()).toEqual(['one']);
    });
  });
});
