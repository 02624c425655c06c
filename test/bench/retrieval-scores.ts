import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Hit } from './engines.ts';
import { mean } from './statistics.ts';

/** How well one question was answered. */
export type Outcome = {
  category: string;
  /** For each evidence turn, its place among the results from 1; Infinity where it is absent. */
  ranks: number[];
  /** Share of the evidence turns inside the first tokens of the results. */
  within: number;
  /** How long the search took. */
  ms: number;
};

export type Scores = {
  questions: number;
  recall: Record<(typeof cutoffs)[number], number>;
  mrr: number;
  within: number;
};

export const cutoffs = [5, 10, 20] as const;
/** What an agent is willing to read. */
export const readTokens = 2000;

/** Averages over the questions that have evidence. */
export function scoresOf(outcomes: readonly Outcome[]): Scores {
  const answerable = outcomes.filter(({ ranks }) => ranks.length > 0);
  const recallAt = (k: number) => mean(answerable.map(({ ranks }) => share(ranks, k)));
  return {
    questions: answerable.length,
    recall: { 5: recallAt(5), 10: recallAt(10), 20: recallAt(20) },
    mrr: mean(answerable.map(({ ranks }) => 1 / Math.min(...ranks))),
    within: mean(answerable.map(({ within }) => within)),
  };
}

function share(ranks: readonly number[], k: number): number {
  return ranks.filter((rank) => rank <= k).length / ranks.length;
}

/** Which turns each memory holds: several where the same words were said twice. */
export type Holders = ReadonlyMap<string, ReadonlySet<string>>;

export function ranksOf(
  hits: readonly Hit[],
  { evidence, holders }: { evidence: readonly string[]; holders: Holders },
): number[] {
  return evidence.map((turn) => {
    const index = hits.findIndex(({ id }) => holders.get(id)?.has(turn));
    return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
  });
}

/** The results, from the first, whose texts together cost no more than `readTokens`. */
export function readable(hits: readonly Hit[]): Hit[] {
  let tokens = 0;
  return hits.filter(({ memory }) => {
    // After the first that does not fit, nothing is read on.
    tokens += tokens > readTokens ? 0 : tokensOf(memory);
    return tokens <= readTokens;
  });
}

const counted = new Map<string, number>();

function tokensOf(text: string): number {
  const known = counted.get(text) ?? countTokens(text);
  counted.set(text, known);
  return known;
}

export { countTokens };
