import type { Dataset } from './dataset.ts';
import { cutoffs, type Holders, type Outcome, readTokens, scoresOf } from './retrieval-scores.ts';
import { mean, percentile } from './statistics.ts';
import { fraction, milliseconds, percent, perSecond, table } from './table.ts';

/** Questions about what was never said; right is to find nothing, so they are reported apart. */
const adversarial = 'adversarial';

export type Stored = {
  holders: Holders;
  turns: number;
  adds: number;
  memories: number;
  /** Turns that no memory holds. */
  lost: number;
  ms: number;
};

export type Asked = Outcome & { conversation: string; question: string; tokens: number };

type Report = { dataset: Dataset; engine: string; stored: Stored; asked: readonly Asked[] };

export function printReport({ dataset, engine, stored, asked }: Report): void {
  const { turns, adds, memories, lost, ms } = stored;
  const times = asked.map((outcome) => outcome.ms);
  const tokens = mean(asked.map((outcome) => outcome.tokens));
  console.log(`\n${dataset.name}, ${dataset.conversations.length} conversations, ${engine}\n`);
  console.log(scoreTable(asked));
  console.log(`
Stored ${turns} turns by ${adds} adds as ${memories} memories, ${lost} turns lost: \
${perSecond(adds, ms)} adds a second, one after the other.
Asked ${asked.length} questions: ${milliseconds(percentile(times, 50))} ms p50, \
${milliseconds(percentile(times, 95))} ms p95 a query of 20 results, \
${tokens.toFixed(0)} tokens an answer on average.`);
}

function scoreTable(asked: readonly Outcome[]): string {
  const categories = [...new Set(asked.map(({ category }) => category))]
    .filter((category) => category !== adversarial)
    .sort();
  const headline = asked.filter(({ category }) => category !== adversarial);
  const hostile = asked.filter(({ category }) => category === adversarial);
  const rows = [
    row('headline', headline),
    ...categories.map((name) => row(name, ofCategory(asked, name))),
    ...(hostile.length > 0 ? [row(adversarial, hostile)] : []),
  ];
  const recalls = cutoffs.map((k) => `R@${k}`);
  const head = ['questions', 'with evidence', ...recalls, 'MRR', `in ${readTokens} tokens`];
  return table(head, rows);
}

function ofCategory(asked: readonly Outcome[], name: string): Outcome[] {
  return asked.filter(({ category }) => category === name);
}

function row(name: string, outcomes: readonly Outcome[]): string[] {
  const { questions, recall, mrr, within } = scoresOf(outcomes);
  if (questions === 0) return [name, '0', ...cutoffs.map(() => '-'), '-', '-'];
  const recalls = cutoffs.map((k) => percent(recall[k]));
  return [name, String(questions), ...recalls, fraction(mrr), percent(within)];
}
