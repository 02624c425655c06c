import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Output } from '../../src/contract.ts';
import { type Input, type Target, targets } from '../support/targets.ts';

describe.each(targets)('recalls, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
    await configure({ keep_recalls: 'text' });
  });
  afterEach(async () => {
    await target.stop();
  });

  const hourMs = 3600 * 1000;
  const ferry = 'Which pier does the ferry leave from?';
  const unknownId = '0197a6b2-0000-7000-8000-000000000001';

  function configure(settings: Input) {
    const { org_id, project_id } = target.engine.projects.own;
    return target.call('update_project', { org_id, project_id, ...settings });
  }

  async function remember(text: string, more: Input = {}): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'ann', ...more });
    target.engine.clock.advance(hourMs);
    return String(results[0]?.id);
  }

  async function search(input: Input = {}) {
    const asked = { query: ferry, user_id: 'ann', ...input };
    const { results } = await target.call('search_memories', asked);
    target.engine.clock.advance(hourMs);
    return results;
  }

  async function list(input: Input = {}) {
    return (await target.call('list_recalls', input)).results;
  }

  /** Puts the newest recall again. */
  async function replay(): Promise<Output<'replay_recall'>> {
    const [recall] = await list();
    return target.call('replay_recall', { recall_id: recall?.id });
  }

  async function differences() {
    return (await replay()).differences;
  }

  describe('that are kept', () => {
    it('hold the question, what answered it and at which price', async () => {
      const id = await remember('The ferry to Gozo leaves from pier nine');
      const created_at = target.engine.clock.now();

      const [hit] = await search({ cut: 'strict', top_k: 3 });

      const [recall, ...others] = await list();
      expect(others).toEqual([]);
      expect(recall).toMatchObject({
        operation: 'search_memories',
        query: ferry,
        query_hash: null,
        created_at,
        user_id: 'ann',
        agent_id: null,
        as_of: null,
        valid_at: null,
        cut: 'strict',
        settings: { top_k: 3 },
        total: 1,
        ranking: expect.any(Number),
      });
      expect(recall?.tokens).toBeGreaterThan(5);
      expect(recall?.results.map((one) => one.id)).toEqual([id]);
      expect(recall?.results[0]?.score).toBeCloseTo(hit?.score ?? 0, 3);
    });

    it('are contexts as well, with what they listed unasked', async () => {
      const pinned = await remember('Ann is allergic to penicillin', { pinned: true });
      const pier = await remember('The ferry to Gozo leaves from pier nine');
      const messages = [{ role: 'user', content: ferry }];

      const { used } = await target.call('get_context', { messages, user_id: 'ann' });

      const [recall] = await list();
      expect(recall).toMatchObject({ operation: 'get_context', query: ferry, cut: 'relaxed' });
      expect(recall?.tokens).toBe(used);
      expect(recall?.results).toEqual([
        { id: pinned, score: null },
        { id: pier, score: expect.any(Number) },
      ]);
    });

    it('are none by default', async () => {
      await configure({ keep_recalls: 'off' });

      await search();
      await target.call('get_context', { user_id: 'ann' });

      expect(await list()).toEqual([]);
    });

    it('hold no word of the question where only a hash is kept', async () => {
      await configure({ keep_recalls: 'hash' });
      await search({ filters: { metadata: { topic: 'Gozo' } }, top_k: 4 });
      await search();
      await search({ query: 'Who rows?' });

      const recalls = await list();

      const [other, same, first] = recalls.map((one) => one.query_hash);
      expect(first).toMatch(/^[\w-]{22}$/);
      expect(first).toBe(same);
      expect(other).not.toBe(same);
      expect(recalls[2]).toMatchObject({ query: null, settings: { top_k: 4 } });
      const { results: events } = await target.call('list_events', { event_type: 'SEARCH' });
      expect(JSON.stringify([recalls, events])).not.toMatch(/ferry|rows|Gozo/);
    });

    it('hold no secret', async () => {
      await search({ query: 'Is ghp_16C7e42F292c6912E7710c838347Ae178B4a my token?' });

      const [recall] = await list();

      expect(recall?.query).toMatch(/^Is .*my token\?$/);
      expect(recall?.query).not.toContain('16C7e42F');
    });

    it('are listed newest first, in pages, by entity, operation and time', async () => {
      const began = target.engine.clock.now();
      await search({ query: 'one' });
      await search({ query: 'two', user_id: 'bob' });
      const later = target.engine.clock.now();
      await target.call('get_context', { query: 'three', user_id: 'ann' });

      const queries = async (input: Input) => (await list(input)).map(({ query }) => query);

      expect(await queries({})).toEqual(['three', 'two', 'one']);
      expect(await queries({ user_id: 'ann' })).toEqual(['three', 'one']);
      expect(await queries({ operation: 'search_memories' })).toEqual(['two', 'one']);
      expect(await queries({ page: 2, page_size: 2 })).toEqual(['one']);
      expect(await queries({ from: later })).toEqual(['three']);
      expect(await queries({ to: began })).toEqual(['one']);
      expect(await queries({ from: '2020-01-01', to: '2020-12-31' })).toEqual([]);
      const { total } = await target.call('list_recalls', { page_size: 1 });
      expect(total).toBe(3);
    });
  });

  describe('put again', () => {
    it('answer the same where nothing has changed', async () => {
      const id = await remember('The ferry to Gozo leaves from pier nine');
      await remember('The ferry was painted');
      await search({ threshold: 0 });

      const { recall, then, now, differences } = await replay();

      expect(recall).toMatchObject({ query: ferry, total: 2 });
      expect(then.as_of).toBe(recall.created_at);
      expect(then.results[0]).toMatchObject({ id, memory: expect.stringContaining('nine') });
      expect(now.results).toEqual(then.results);
      expect(differences).toEqual([]);
    });

    it('name what was deleted and what was learned later', async () => {
      const old = await remember('The ferry to Gozo leaves from pier nine');
      await search();
      await target.call('delete_memory', { memory_id: old });
      const fresh = await remember('The ferry leaves from pier two');

      expect(await differences()).toMatchObject([
        {
          memory_id: old,
          memory: 'The ferry to Gozo leaves from pier nine',
          then_rank: 1,
          now_rank: null,
          reason: 'deleted',
        },
        { memory_id: fresh, then_rank: null, now_rank: 1, reason: 'learned_later' },
      ]);
    });

    it('name what was superseded, with what it said', async () => {
      const memory_id = await remember('The ferry to Gozo leaves from pier nine');
      await search();
      await target.call('update_memory', { memory_id, text: 'Ann collects stamps' });

      const { then, now, differences: found } = await replay();

      expect(then.results[0]?.memory).toContain('pier nine');
      expect(now.results).toEqual([]);
      expect(found).toMatchObject([
        { memory_id, memory: 'Ann collects stamps', reason: 'superseded' },
      ]);
      expect(found[0]?.detail).toContain('pier nine');
    });

    it('name what has expired', async () => {
      const expiration_date = target.engine.clock.now().slice(0, 10);
      const memory_id = await remember('The ferry leaves from pier nine', { expiration_date });
      await search();
      target.engine.clock.advance(48 * hourMs);

      expect(await differences()).toMatchObject([
        { memory_id, reason: 'expired', detail: `It expired on ${expiration_date}.` },
      ]);
    });

    it('name what waits for a review, or waited', async () => {
      await configure({ trust_min: 'assistant' });
      const messages = [{ role: 'tool', content: 'The ferry leaves from pier nine' }];
      const input = { messages, user_id: 'ann', infer: false };
      const { results } = await target.call('add_memory', input);
      const memory_id = results[0]?.id;
      target.engine.clock.advance(hourMs);
      await search();
      await target.call('review_memory', { memory_id, decision: 'accept' });

      expect(await differences()).toMatchObject([
        { memory_id, then_rank: null, now_rank: 1, reason: 'hidden' },
      ]);
    });

    it('name what fades with time', async () => {
      await configure({ decay: true });
      const memory_id = await remember('The ferry to Gozo leaves from pier nine');
      const [hit] = await search();
      await search({ threshold: (hit?.score ?? 0) - 0.01 });
      target.engine.clock.advance(365 * 24 * hourMs);

      expect(await differences()).toMatchObject([
        { memory_id, then_rank: 1, now_rank: null, reason: 'decayed' },
      ]);
    });

    it('name what was corrected and stays where it was, with what it said', async () => {
      const memory_id = await remember('The ferry to Gozo leaves from pier nine');
      await search();
      const text = 'The ferry to Gozo leaves from pier eight';
      await target.call('update_memory', { memory_id, text });
      target.engine.clock.advance(hourMs);

      expect(await differences()).toMatchObject([
        {
          memory_id,
          memory: text,
          then_rank: 1,
          now_rank: 1,
          reason: 'superseded',
          detail: 'It said: The ferry to Gozo leaves from pier nine',
        },
      ]);
    });

    it('name what the cut takes beside something better', async () => {
      const memory_id = await remember('A ferry leaves from Malta');
      await search({ threshold: 0, cut: 'relaxed', top_k: 1 });
      await remember('Which pier does the ferry leave from? The ferry leaves from pier nine');

      const gone = (await differences()).find((one) => one.memory_id === memory_id);

      expect(gone).toMatchObject({ then_rank: 1, now_rank: null, reason: 'cut' });
    });

    it('name what another version of the ranking found', async () => {
      const id = await remember('The ferry to Gozo leaves from pier nine');
      const other = await remember('Ann collects stamps');
      await search();
      const { own } = target.engine.projects;
      const { results } = await target.call('list_recalls', {});
      const kept = await target.engine.store.recalls.find(own, String(results[0]?.id));
      if (kept === null) throw new Error('the search was kept');
      const hits = [...kept.hits, { id: other, score: 0.4 }];
      const recall = { ...kept, id: unknownId, ranking: 0, hits, total: 2 };
      target.engine.clock.advance(hourMs);
      await target.engine.store.transaction((tables) =>
        tables.recalls.insertMany([{ project: own, recall }]),
      );

      const replayed = await target.call('replay_recall', { recall_id: unknownId });

      expect(replayed.now.results.map((one) => one.id)).toEqual([id]);
      expect(replayed.differences).toMatchObject([
        { memory_id: other, then_rank: 2, now_rank: null, reason: 'ranking' },
      ]);
    });

    it('of a question about the past are put as of that time and now', async () => {
      const old = await remember('The ferry to Gozo leaves from pier nine');
      const as_of = target.engine.clock.now();
      target.engine.clock.advance(hourMs);
      await target.call('delete_memory', { memory_id: old });
      target.engine.clock.advance(hourMs);
      await search({ as_of });

      const { recall, then, differences: found } = await replay();

      expect(recall).toMatchObject({ as_of });
      expect(then).toMatchObject({ as_of, results: [{ id: old }] });
      expect(found).toMatchObject([{ memory_id: old, reason: 'deleted' }]);
    });

    it('of contexts rank their whole text', async () => {
      const pinned = await remember('Ann is allergic to penicillin', { pinned: true });
      const pier = await remember('The ferry to Gozo leaves from pier nine');
      await target.call('get_context', { query: ferry, user_id: 'ann' });
      target.engine.clock.advance(hourMs);
      await target.call('update_memory', { memory_id: pinned, pinned: false });

      const { then, now, differences: found } = await replay();

      expect(then.results.map((one) => one.id)).toEqual([pinned, pier]);
      expect(now.results.map((one) => one.id)).toEqual([pier]);
      expect(found).toMatchObject([{ memory_id: pinned, reason: 'not_found' }]);
    });

    it('need the question', async () => {
      await configure({ keep_recalls: 'hash' });
      await search();
      const [recall] = await list();

      const refusal = await target.refusal('replay_recall', { recall_id: recall?.id });

      expect(refusal).toMatchObject({ code: 'invalid' });
      expect(refusal.message).toContain('keep_recalls: text');
    });

    it('are no recalls themselves', async () => {
      await search();
      await replay();

      expect(await list()).toHaveLength(1);
    });
  });

  describe('are erased', () => {
    it('with the entity that they belong to or name', async () => {
      await remember('The ferry leaves from pier two', { user_id: 'bob' });
      await remember('The ferry to Gozo leaves from pier nine');
      await search();
      await search({
        user_id: undefined,
        filters: { OR: [{ user_id: 'ann' }, { user_id: 'eve' }] },
      });
      await search({ user_id: 'bob' });

      const erased = await target.call('delete_entity', { entity_type: 'user', entity_id: 'ann' });

      expect(erased).toMatchObject({ receipt: { removed: { recalls: 2 }, remaining: {} } });
      expect((await list()).map((one) => one.user_id)).toEqual(['bob']);
    });

    it('with a memory that they answered', async () => {
      const memory_id = await remember('The ferry to Gozo leaves from pier nine');
      await search();
      await search({ query: 'Who collects stamps?' });

      const { receipt } = await target.call('erase_memories', { memory_ids: [memory_id] });

      expect(receipt).toMatchObject({ removed: { recalls: 1 }, remaining: {} });
      expect((await list()).map(({ query }) => query)).toEqual(['Who collects stamps?']);
    });

    it('but not with a memory that is deleted', async () => {
      const memory_id = await remember('The ferry to Gozo leaves from pier nine');
      await search();

      await target.call('delete_memory', { memory_id });

      expect((await list())[0]?.results).toMatchObject([{ id: memory_id }]);
    });
  });

  describe('refuse', () => {
    it.each([
      ['list_recalls', { operation: 'add_memory' }, 'operation'],
      ['list_recalls', { from: 'yesterday' }, 'from'],
      ['list_recalls', { page: 0 }, 'page'],
      ['replay_recall', { recall_id: 'none' }, 'recall_id'],
      ['update_project', { keep_recalls: 'all' }, 'keep_recalls'],
    ] as const)('%s with %j', async (name, input, field) => {
      const { org_id, project_id } = target.engine.projects.own;
      const place = name === 'update_project' ? { org_id, project_id } : {};

      const refusal = await target.refusal(name, { ...place, ...input });

      expect(refusal.code).toBe('invalid');
      expect(refusal.message).toContain(field);
    });

    it('an unknown recall, and hide one of another project behind the same error', async () => {
      await search();
      const [recall] = await list();
      const stranger = target.as({ project_id: 'sibling', bound_to: 'project' });

      const refusals = [
        await target.refusal('replay_recall', { recall_id: unknownId }),
        await stranger.refusal('replay_recall', { recall_id: recall?.id }),
      ];

      expect(refusals[0]).toEqual(refusals[1]);
      expect(refusals[0]).toMatchObject({ code: 'not_found' });
      expect((await stranger.call('list_recalls', {})).results).toEqual([]);
    });

    it('a reader who would have them kept', async () => {
      const { org_id, project_id } = target.engine.projects.own;
      const reader = target.as({ read_only: true });

      const refusal = await reader.refusal('update_project', {
        org_id,
        project_id,
        keep_recalls: 'off',
      });

      expect(refusal).toMatchObject({ code: 'forbidden' });
      expect(await reader.call('list_recalls', {})).toMatchObject({ total: 0 });
    });
  });
});
