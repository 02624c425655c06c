import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitLongAdd } from '../../src/core/extraction/long-adds.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';
import { eventually } from '../support/eventually.ts';

const sentences = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => `My friend number ${from + at} plays the cello. `);

describe('an add of more than rules read', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.stop());

  const stored = async () => {
    const pages = [1, 2].map((page) => {
      const input = { user_id: 'ann', page, page_size: 1000 };
      return engine.invoke('get_memories', input, { caller: owner });
    });
    return (await Promise.all(pages)).flatMap(({ results }) =>
      results.map(({ memory }) => String(memory)),
    );
  };

  it('keeps what was not read word for word, and says so', { timeout: 60_000 }, async () => {
    const messages = [
      { role: 'user', content: sentences(1100).join('') },
      { role: 'assistant', content: 'What a band!' },
      { role: 'user', content: sentences(400, 1100).join('') },
    ];

    const { event_id } = await engine.invoke(
      'add_memory',
      { user_id: 'ann', messages },
      { caller: owner },
    );
    await eventually(async () => {
      const event = await engine.invoke('get_event', { event_id }, { caller: owner });
      expect(event).toMatchObject({
        status: 'SUCCEEDED',
        metadata: { notice: expect.stringContaining('the rest is kept word for word') },
      });
    });

    const memories = await stored();
    const kept = memories.join('\n');
    for (const number of [0, 500, 1000, 1099, 1100, 1300, 1499]) {
      expect(kept).toMatch(new RegExp(`number ${number}\\b`));
    }
    expect(Math.max(...memories.map(({ length }) => length))).toBeLessThanOrEqual(2000);
    expect(kept).not.toContain('band');
  });

  it('reads what a user says after long answers', () => {
    const answer = { role: 'assistant', content: `${'Indeed. '.repeat(5000)}And where?` } as const;
    const fact = { role: 'user', content: 'I live in Bern.' } as const;
    const { read, rest } = splitLongAdd([answer, fact, answer, fact]);

    expect(rest).toEqual([]);
    expect([read[1], read[3]]).toEqual([fact, fact]);
    expect(read[2]?.content).toMatch(/And where\?$/);
  });
});
