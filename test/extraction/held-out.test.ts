import { expect, it } from 'vitest';
import { extractStatements } from '../../src/core/extraction/extract-statements.ts';
import { loadCorpus } from './corpus.ts';
import { judgeAll, type Kind, total } from './judge.ts';

/** Precision and recall that rules reach on what was written before they saw it; not aims. */
const least: readonly (readonly [Kind, number, number])[] = [
  ['memories', 0.89, 0.94],
  ['types', 0.86, 0.86],
  ['times', 0.85, 0.85],
  ['supersessions', 0.7, 0.75],
  ['drops', 0.9, 0.9],
  ['redactions', 0.94, 0.94],
];

const verdicts = await judgeAll(loadCorpus('held-out'));

const said = (...contents: string[]) =>
  extractStatements(contents.map((content) => ({ role: 'user' as const, content }))).statements.map(
    ({ text }) => text,
  );

it.each(least)(
  'rules understand %s of conversations they were not made with',
  (kind, ...shares) => {
    const { expected, found, right } = total(verdicts, kind);

    expect(right / found).toBeGreaterThanOrEqual(shares[0]);
    expect(right / expected).toBeGreaterThanOrEqual(shares[1]);
  },
);

it.each([
  [
    ['The meeting is on Tuesday at 4pm.', 'sorry, i meant Friday'],
    ['The meeting is on Friday at 4pm.'],
  ],
  [['El dentista es el lunes.', 'Perdón, quería decir el jueves'], ['El dentista es el jueves.']],
  [['歯医者は火曜日です。', '木曜日の間違いでした'], ['歯医者は木曜日です。']],
  [['I moved on May 3.', 'I meant to say hello'], ['User moved on May 3.']],
])('what is corrected is kept as it was meant: %j', (contents, expected) => {
  expect(said(...contents).slice(0, 1)).toEqual(expected);
});

it.each([
  'If I lived in Oslo, I would ski every day.',
  'Wenn ich in Köln wohnen würde, wäre alles besser.',
  'Si j’étais riche, j’achèterais une île.',
  'Se vivessi a Parigi, mangerei meglio ogni giorno.',
  'Если бы я жил в Риме, я бы учил итальянский.',
])('what is only supposed leaves nothing: %s', (content) => {
  expect(said(content)).toEqual([]);
});

it('code that is shown leaves nothing, and what is said beside it stays', () => {
  const code = '```js\nconst myName = "Ann likes tea";\n```';

  expect(said(`I work with Node every day.\n${code}`)).toEqual(['User works with Node every day.']);
});

it('a sentence in lower case behind an exclamation mark is one of its own', () => {
  expect(said('i play chess on fridays! i have two cats at home')).toHaveLength(2);
});
