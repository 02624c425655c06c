// Asks questions in other words of short facts: `npm run bench:paraphrase`. The sets and what they
// hold: test/search/paraphrase/README.md.
import { parseArgs } from 'node:util';
import {
  askParaphrases,
  hitRate,
  isEnglish,
  type ParaphraseOutcome,
} from '../search/paraphrase.ts';
import { withFolder } from './client.ts';
import { startDirect } from './engines.ts';
import { mean } from './statistics.ts';
import { table } from './table.ts';

const { values: flags } = parseArgs({
  options: {
    /** `held-out` is for final figures only. */
    set: { type: 'string', default: 'development' },
    /** By words alone. */
    words: { type: 'boolean', default: false },
    /** Prints the questions in English of the development set that found nothing in five. */
    missed: { type: 'boolean', default: false },
  },
});
const set = flags.set === 'held-out' ? 'held-out' : 'development';

const outcomes = await withFolder(async (data_dir) => {
  const engine = await startDirect(data_dir, { static_embedder: !flags.words });
  try {
    return await askParaphrases(engine, set);
  } finally {
    await engine.close();
  }
});

const english = outcomes.filter(isEnglish);
const languages = [...new Set(outcomes.filter((one) => !isEnglish(one)).map(({ scope }) => scope))];
const groups: [string, ParaphraseOutcome[]][] = [
  ['English', english],
  ...languages.map((language): [string, ParaphraseOutcome[]] => [
    language,
    outcomes.filter(({ scope }) => scope === language),
  ]),
];
const rows = groups.flatMap(([title, asked]) =>
  ['other-words', 'same-words'].map((kind) => [
    `${title}, ${kind}`,
    String(asked.filter((one) => one.kind === kind).length),
    ...[1, 5, 10].map((within) => hitRate(asked, { kind, within }).toFixed(0)),
  ]),
);
console.log(table([set, 'questions', 'hit@1', 'hit@5', 'hit@10'], rows));
console.log(`\n${table(['score', 'own', 'foreign', 'right', 'hits'], scoreRows(english))}`);
if (flags.missed && set === 'development') {
  const missed = english.filter(({ rank, kind }) => rank >= 5 && kind !== 'foreign');
  for (const { scope, text } of missed) console.log(scope, text);
}

/** Percent of own and of foreign questions with a hit from there on, and of hits that are right. */
function scoreRows(asked: readonly ParaphraseOutcome[]): string[][] {
  const own = asked.filter(({ kind }) => kind !== 'foreign');
  const foreign = asked.filter(({ kind }) => kind === 'foreign');
  return [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((from) => {
    const to = from === 0.9 ? 2 : from + 0.1;
    const withHit = (some: readonly ParaphraseOutcome[]) =>
      mean(some.map(({ hits }) => ((hits[0]?.score ?? 0) >= from ? 100 : 0))).toFixed(0);
    const hits = asked
      .flatMap((one) => one.hits)
      .filter(({ score }) => score >= from && score < to);
    const right = hits.length === 0 ? '-' : mean(hits.map(({ isRight }) => (isRight ? 100 : 0)));
    const shown = typeof right === 'number' ? right.toFixed(0) : right;
    return [from.toFixed(1), withHit(own), withHit(foreign), shown, String(hits.length)];
  });
}
