import { type ScoredCandidate, scaleScore } from './scored-candidate.ts';

type BestResult = {
  score: number;
  /** Its lead over the second result. */
  lead: number;
  /** True if it is not a turn of a conversation. */
  isStandalone: boolean;
  /** The number of memories among which it is the best. */
  among: number;
};

/**
 * Turns the sum of words and meaning into a score that means the same everywhere. The best result
 * decides how far the search can be trusted, and each result keeps its share of the best score, so
 * the order stays. The curves are read off the tables in test/bench/README.md.
 */
export function calibrateScores(
  ranked: readonly ScoredCandidate[],
  best: Pick<BestResult, 'isStandalone' | 'among'>,
): ScoredCandidate[] {
  const [first, second] = ranked;
  if (first === undefined) return [];
  const { score } = first;
  const lead = score - (second?.score ?? 0);
  const factor = trustedScore({ ...best, score, lead }) / score;
  return ranked.map((one) => scaleScore(one, factor));
}

function trustedScore({ score, lead, isStandalone, among }: BestResult): number {
  if (isStandalone) return interpolate(factCurve, score);
  const share = Math.min(1, Math.max(0, (among - turnsFew) / (turnsMany - turnsFew)));
  const passing = turnPassing.few + (turnPassing.many - turnPassing.few) * share;
  const curve: Curve = [
    [passing, scorePassing],
    [1, turnScoreMax],
  ];
  return interpolate(curve, score) * (1 + leadBonus * Math.min(1, lead / leadClear));
}

/** The default threshold (`limits.threshold_default`): a result that should be a hit reaches it. */
const scorePassing = 0.3;

/**
 * 96 of 100 questions that short facts answer reach .22, and nearly as many unrelated questions do.
 * Nine of ten best results that reach .85 are right.
 */
const factCurve: Curve = [
  [0.22, scorePassing],
  [0.85, 0.9],
  [1, 1],
];

/**
 * Turns lend words to each other, so that the best of hundreds is near to any question: nearly all
 * questions that they answer reach this, and three of four unrelated ones. A higher value would
 * lose answers at the default threshold. The best of a few turns says as much as a fact.
 */
const turnPassing = { few: 0.23, many: 0.56 };
const [turnsFew, turnsMany] = [60, 180];

/**
 * Several turns are about a question and one of them answers it: half of those with all words of
 * the question are right. One that is ahead of all others by `leadClear` is right in four of five
 * cases, and only such a one passes .9.
 */
const turnScoreMax = 0.82;
const leadClear = 0.15;
const leadBonus = 0.1;

/** Corners of a line that begins at 0, 0. */
type Curve = readonly (readonly [sum: number, score: number])[];

function interpolate(curve: Curve, sum: number): number {
  let [left, low] = [0, 0];
  for (const [right, high] of curve) {
    if (sum <= right) return low + ((high - low) * (sum - left)) / (right - left);
    [left, low] = [right, high];
  }
  return low;
}
