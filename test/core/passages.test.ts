import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { questionTermsOf } from '../../src/core/language/question-terms.ts';
import { englishQuery } from '../../src/core/language/resolve-languages.ts';
import { holdsTerm } from '../../src/core/search/rank/passages.ts';
import { type Engine, owner, startEngine } from '../support/engine.ts';

it('an empty term stands nowhere', () => {
  expect(holdsTerm('', 'green tea')).toBe(false);
  expect(holdsTerm('tea', 'green tea')).toBe(true);
});

it.each(['\u0301', '\u0308 \u20dd', '\u064b', '\u093e'])(
  '%j that stands alone is no term',
  (mark) => {
    const plain = questionTermsOf('green tea', englishQuery);

    expect(questionTermsOf(`green ${mark} tea ${mark}`, englishQuery)).toEqual(plain);
  },
);

describe('a search with accents that stand alone', () => {
  let engine: Engine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.stop());

  const invoke = (name: 'add_memory' | 'search_memories', input: Record<string, unknown>) =>
    engine.invoke(name, { user_id: 'ann', ...input }, { caller: owner });

  it('finds what it finds without them', async () => {
    await invoke('add_memory', { text: 'Ann drinks green tea \u0301 in the morning' });

    const found = await invoke('search_memories', { query: '\u0301 green \u0308 tea' });

    expect(found).toMatchObject({ results: [{ memory: expect.stringContaining('green tea') }] });
  });
});
