import type { VectorScale } from '../ports/index.ts';
import {
  type KeywordRanked,
  type KeywordScoreParts,
  roundScore,
  type ScoredCandidate,
} from './scored-candidate.ts';

/**
 * What likeness of meaning adds to a score: this much for a memory that is as near to the
 * question as answers are, half of it half way from unrelated texts to there. So a memory that
 * shares no word with the question passes the default threshold of 0.3 from two thirds of the way
 * on. Of the weights that helped in measurements, .2 to .6, one from the middle.
 */
const semanticWeight = 0.45;

/** Nearer than answers usually are; beyond this it is the same text, which words tell as well. */
const similarityRatioMax = 1.5;

/** Adds likeness of meaning to what words say. Neither of the two has to be there. */
export function fuseScores(
  ranked: readonly KeywordRanked[],
  { similarities, scale }: { similarities: ReadonlyMap<string, number>; scale: VectorScale },
): ScoredCandidate[] {
  const byWords = new Map(ranked.map((one) => [one.id, one]));
  const ids = new Set([...byWords.keys(), ...similarities.keys()]);
  return [...ids]
    .map((id) => {
      const { score, parts } = byWords.get(id) ?? { score: 0, parts: zeroKeywordScore };
      const { keyword, entity, temporal } = parts;
      const semantic = semanticScore(similarities.get(id) ?? scale.unrelated, scale);
      return { id, sum: score + semantic, parts: { keyword, entity, temporal, semantic } };
    })
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum)
    .map(({ id, sum, parts }) => ({ id, ...capAtOne(sum, parts) }));
}

const zeroKeywordScore: KeywordScoreParts = { keyword: 0, entity: 0, temporal: 0 };

function semanticScore(similarity: number, { unrelated, related, trust }: VectorScale): number {
  // A model to which answers are no nearer than anything else says nothing.
  if (related <= unrelated) return 0;
  const way = (similarity - unrelated) / (related - unrelated);
  return semanticWeight * trust * Math.min(similarityRatioMax, Math.max(0, way));
}

/** The parts add up to the score, which is 1 at most. */
function capAtOne(
  sum: number,
  parts: ScoredCandidate['parts'],
): Pick<ScoredCandidate, 'score' | 'parts'> {
  const score = roundScore(Math.min(1, sum));
  const share = score / sum;
  const [semantic, entity] = [roundScore(parts.semantic * share), roundScore(parts.entity * share)];
  const temporal = roundScore(parts.temporal * share);
  const keyword = Math.max(0, roundScore(score - semantic - entity - temporal));
  return { score, parts: { semantic, keyword, entity, temporal } };
}
