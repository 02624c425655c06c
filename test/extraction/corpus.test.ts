import { expect, it } from 'vitest';
import { loadCorpus } from './corpus.ts';
import { judgeAll, kinds, total } from './judge.ts';

/** Shares that rules reach on the conversations of `corpus/`; `npm run bench:extract` has more. */
const least = {
  memories: 0.95,
  types: 0.95,
  times: 0.95,
  supersessions: 0.95,
  drops: 1,
  redactions: 1,
  categories: 0.95,
} as const;

const corpus = loadCorpus();
const verdicts = await judgeAll(corpus);

it('there are 150 conversations in 8 languages', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(150);
  expect(new Set(corpus.map(({ language }) => language)).size).toBeGreaterThanOrEqual(8);
});

it.each(kinds)('rules understand of conversations nearly all %s', (kind) => {
  const { expected, found, right } = total(verdicts, kind);

  expect(right / expected).toBeGreaterThanOrEqual(least[kind]);
  expect(right / found).toBeGreaterThanOrEqual(least[kind]);
});

it.each([...new Set(corpus.map(({ language }) => language))])(
  'rules understand what is said in %s',
  (language) => {
    const own = verdicts.filter(({ conversation }) => conversation.language === language);
    const { expected, found, right } = total(own, 'memories');

    expect(right / expected).toBeGreaterThanOrEqual(0.9);
    expect(right / found).toBeGreaterThanOrEqual(0.9);
  },
);
