import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cutResults, withoutDuplicates } from '../../src/core/search/rank/cut.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { storedMemory } from '../support/stored-memory.ts';

describe('a cut', () => {
  it.each([
    ['off', [0.9, 0.7, 0.5, 0.4], [0.9, 0.7, 0.5, 0.4]],
    ['relaxed', [0.9, 0.7, 0.5, 0.4], [0.9, 0.7, 0.5]],
    ['strict', [0.9, 0.82, 0.8, 0.4], [0.9, 0.82]],
    ['relaxed', [0.4, 0.3, 0.1], [0.4, 0.3]],
    ['strict', [0.54, 0.53], []],
    ['strict', [], []],
  ] as const)('%s of %j keeps %j', (cut, scores, kept) => {
    const parts = { semantic: 0, keyword: 0, entity: 0, temporal: 0 };
    const ranked = scores.map((score) => ({ id: String(score), score, parts }));

    const result = cutResults(ranked, cut);

    expect(result.results.map(({ score }) => score)).toEqual(kept);
    expect(result.results.length + result.cutMemories.length).toBe(scores.length);
  });

  it('of many long memories lets others have their turn', async () => {
    const words = Array.from({ length: 300 }, (_, at) => `word${at}`).join(' ');
    const memories = Array.from({ length: 300 }, (_, at) =>
      storedMemory(`${at % 40} ${words}`, { id: `m${at}` }),
    );
    let turns = 0;
    const others = setInterval(() => (turns += 1), 0);

    const { distinct: kept, duplicates: dropped } = await withoutDuplicates(memories);
    clearInterval(others);

    expect([kept.length, dropped.length]).toEqual([40, 260]);
    expect(turns).toBeGreaterThan(2);
  });
});

describe('a search', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await startEngine();
    for (const text of [
      'The ferry to Gozo leaves from pier nine',
      'The pier has lights, benches, a kiosk, two lamps and a long green railing',
      'The cat is called Biscuit',
      'The garden needs water in July',
    ]) {
      await engine.invoke('add_memory', { text, user_id: 'ann' }, { caller: owner });
    }
  });
  afterEach(() => engine.stop());

  async function recall(query: string, more: object = {}) {
    const input = { query, user_id: 'ann', threshold: 0, ...more };
    const { results } = await engine.invoke('search_memories', input, { caller: owner });
    return results.map(({ memory = '' }) => /Gozo|kiosk|Biscuit|garden/.exec(memory)?.[0]);
  }

  it('cuts nothing unless it is told to', async () => {
    expect(await recall('Which pier does the ferry to Gozo leave from?')).toEqual([
      'Gozo',
      'kiosk',
    ]);
  });

  it.each([{ cut: 'relaxed' }, { cut: 'strict' }, { filter_memories: true }])(
    'leaves out what is weak beside the best, with %j',
    async (input) => {
      expect(await recall('Which pier does the ferry to Gozo leave from?', input)).toEqual([
        'Gozo',
      ]);
    },
  );

  it('compares the answers to each of several things with their own best', async () => {
    const query = 'Which pier does the ferry to Gozo leave from? And what is the cat called?';

    expect((await recall(query, { cut: 'relaxed' })).toSorted()).toEqual(['Biscuit', 'Gozo']);
  });

  it('returns each memory once, and at most top_k', async () => {
    const query = 'Which pier has the ferry? Which pier has a kiosk?';

    expect((await recall(query, { cut: 'relaxed' })).toSorted()).toEqual(['Gozo', 'kiosk']);
    expect(await recall(query, { cut: 'relaxed', top_k: 1 })).toHaveLength(1);
  });
});
