import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Input, type Target, targets } from '../support/targets.ts';

describe.each(targets)('an explanation, %s', (_name, start) => {
  let target: Target;

  beforeEach(async () => {
    target = await start();
  });
  afterEach(async () => {
    await target.stop();
  });

  async function remember(text: string, more: Input = {}): Promise<string> {
    const { results } = await target.call('add_memory', { text, user_id: 'ann', ...more });
    return String(results[0]?.id);
  }

  async function search(input: Input = {}) {
    const query = 'Which pier does the ferry leave from?';
    const asked = { query, user_id: 'ann', explain: true, ...input };
    return (await target.call('search_memories', asked)).explanation;
  }

  /** What became of one memory. */
  async function whyNot(explain_id: string, input: Input = {}) {
    return (await search({ explain_id, ...input }))?.memory;
  }

  const unknownId = '0197a6b2-0000-7000-8000-000000000001';

  it('is given only where it is asked for', async () => {
    await remember('The ferry to Gozo leaves from pier nine');

    const asked = { query: 'ferry', user_id: 'ann' };
    const found = await target.call('search_memories', asked);
    const context = await target.call('get_context', asked);

    expect(found).not.toHaveProperty('explanation');
    expect(context).not.toHaveProperty('explanation');
  });

  it('says how many memories each stage found or let pass', async () => {
    await remember('The ferry to Gozo leaves from pier nine');
    await remember('The ferry was painted');
    await remember('Ann collects stamps');

    const explanation = await search({ cut: 'strict', top_k: 5, threshold: 0.1 });

    const stages = new Map(explanation?.stages.map((one) => [one.stage, one]));
    expect(stages.get('words')?.memories).toBe(2);
    expect(stages.get('threshold')).toMatchObject({ limit: 0.1 });
    expect(stages.get('cut')?.memories).toBe(1);
    expect(stages.get('top_k')).toMatchObject({ memories: 1, limit: 5, query: null });
  });

  it('says what found each result, and the parts that add up to its score', async () => {
    const id = await remember('The ferry to Gozo leaves from pier nine');

    const [result] = (await search())?.results ?? [];

    expect(result).toMatchObject({ id, found_by: expect.arrayContaining(['words']) });
    const parts = Object.values(result?.score_breakdown ?? {});
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(result?.score ?? 0, 3);
  });

  it('of several things that are asked has the stages of each', async () => {
    await remember('The ferry to Gozo leaves from pier nine');
    await remember('The cat is called Biscuit');

    const query = 'Which pier does the ferry leave from, and what is the cat called?';
    const explanation = await search({ query, cut: 'relaxed' });

    const cuts = explanation?.stages.filter(({ stage }) => stage === 'cut') ?? [];
    expect(cuts.map((one) => one.query)).toEqual([
      'Which pier does the ferry leave from',
      'what is the cat called?',
    ]);
    expect(explanation?.results).toHaveLength(2);
  });

  it('says at which stage a memory fell out, and the number that it missed', async () => {
    await remember('The ferry to Gozo leaves from pier nine');
    const weak = await remember('The ferry was painted');
    const foreign = await remember('Xylophones');

    const belowThreshold = await whyNot(weak, { threshold: 0.99 });
    const belowCut = await whyNot(weak, { threshold: 0, cut: 'strict' });
    const beyondTop = await whyNot(weak, { threshold: 0, top_k: 1 });

    expect(belowThreshold).toMatchObject({ stage: 'threshold', limit: 0.99 });
    expect(belowThreshold?.score).toBeLessThan(0.99);
    expect(belowCut).toMatchObject({ stage: 'cut' });
    expect(belowCut?.score).toBeLessThan(belowCut?.limit ?? 0);
    expect(beyondTop).toMatchObject({ stage: 'top_k', limit: 1 });
    expect(await whyNot(foreign, { keyword_search: true })).toMatchObject({ stage: 'not_found' });
  });

  it('lists what was left out, best first, with its stage', async () => {
    await remember('The ferry to Gozo leaves from pier nine');
    const weak = await remember('The ferry was painted');

    const explanation = await search({ threshold: 0, cut: 'strict' });

    expect(explanation?.left_out).toMatchObject([{ id: weak, stage: 'cut' }]);
  });

  it('says that a memory is in the answer', async () => {
    const id = await remember('The ferry to Gozo leaves from pier nine');

    expect(await whyNot(id)).toMatchObject({ id, stage: null, score: expect.any(Number) });
  });

  it('names a repetition as one', async () => {
    const ids = [
      await remember('The ferry to Gozo leaves from pier nine'),
      await remember('The ferry to Gozo leaves from the pier nine'),
    ];
    const explanation = await search({ cut: 'relaxed' });

    const shown = explanation?.results.map((one) => one.id) ?? [];
    const [repeated] = ids.filter((id) => !shown.includes(id));

    expect(explanation?.left_out).toMatchObject([{ id: repeated, stage: 'duplicates' }]);
  });

  it('tells what is hidden from what does not match the conditions', async () => {
    const day = target.engine.clock.now().slice(0, 10);
    const old = await remember('The ferry leaves from pier one', { expiration_date: day });
    const other = await remember('The ferry leaves from pier two', { metadata: { topic: 'sea' } });
    target.engine.clock.advance(2 * 24 * 3600 * 1000);

    expect(await whyNot(old)).toMatchObject({ stage: 'hidden', reason: `It expired on ${day}.` });
    expect(await whyNot(other, { metadata: { topic: 'air' } })).toMatchObject({ stage: 'filters' });
  });

  it('tells the memory of another user or project from an unknown one by nothing', async () => {
    const ofBob = await remember('The ferry leaves from pier two', { user_id: 'bob' });

    const { reason: _, ...unknown } = { ...(await whyNot(unknownId)), id: 'X' };
    const { reason: _reason, ...hidden } = { ...(await whyNot(ofBob)), id: 'X' };

    expect(unknown).toMatchObject({ stage: 'unknown', score: null, limit: null });
    expect(hidden).toEqual(unknown);
    expect((await search())?.left_out).toEqual([]);
  });

  it('of an earlier time is about what was stored then', async () => {
    const id = await remember('The ferry to Gozo leaves from pier nine');
    const as_of = target.engine.clock.now();
    target.engine.clock.advance(3600 * 1000);
    const later = await remember('The ferry leaves from pier two');
    await target.call('delete_memory', { memory_id: id });

    expect(await whyNot(id)).toMatchObject({ stage: 'unknown' });
    expect(await whyNot(id, { as_of })).toMatchObject({ stage: null });
    expect(await whyNot(later, { as_of })).toMatchObject({ stage: 'unknown' });
  });

  it('takes filters that name whose memories are meant as the scope', async () => {
    const ofBob = await remember('The ferry leaves from pier two', { user_id: 'bob' });

    const filters = { OR: [{ user_id: 'ann' }, { metadata: { topic: 'sea' } }] };

    expect(await whyNot(ofBob, { filters })).toMatchObject({ stage: 'unknown' });
  });

  it('refuses an id that is none', async () => {
    const refusal = await target.refusal('search_memories', {
      query: 'ferry',
      user_id: 'ann',
      explain_id: 'nothing',
    });

    expect(refusal).toMatchObject({ code: 'invalid' });
    expect(refusal.message).toContain('explain_id');
  });

  describe('of a context', () => {
    it('has what was listed unasked, and the budget that all share', async () => {
      const pinned = await remember('Ann is allergic to penicillin', { pinned: true });
      const pier = await remember('The ferry to Gozo leaves from pier nine');
      const query = 'Which pier does the ferry leave from?';

      const { explanation } = await target.call('get_context', {
        query,
        user_id: 'ann',
        explain: true,
      });

      expect(explanation?.stages.at(-1)).toMatchObject({ stage: 'max_tokens', limit: 1000 });
      expect(explanation?.results).toMatchObject([
        { id: pinned, found_by: expect.arrayContaining(['always']) },
        { id: pier, found_by: expect.arrayContaining(['words']) },
      ]);
    });

    it('says that a memory did not fit', async () => {
      for (const number of [1, 2, 3, 4, 5, 6, 7, 8, 9])
        await remember(`The ferry number ${number} leaves from pier ${number + 20}`);
      const asked = { query: 'Which ferry leaves from which pier?', user_id: 'ann' };

      const context = await target.call('get_context', {
        ...asked,
        max_tokens: 100,
        explain: true,
      });

      const [left] = context.left_out.filter(({ reason }) => reason === 'over_budget');
      const { explanation } = await target.call('get_context', {
        ...asked,
        max_tokens: 100,
        explain_id: left?.id,
      });
      expect(explanation?.memory).toMatchObject({ stage: 'max_tokens', limit: 100 });
    });

    it('without a question has what is due and what is new', async () => {
      const id = await remember('The ferry to Gozo leaves from pier nine');

      const { explanation } = await target.call('get_context', { user_id: 'ann', explain: true });

      expect(explanation?.results).toMatchObject([{ id, score: null, found_by: ['recent'] }]);
    });
  });
});
