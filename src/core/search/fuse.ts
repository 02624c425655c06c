import type { VectorScale } from '../ports/index.ts';
import type { CandidateFeatures } from './features.ts';
import {
  type KeywordRanked,
  type KeywordScoreParts,
  roundScore,
  type ScoredCandidate,
} from './scored-candidate.ts';
import { spreadSimilarities } from './turn-similarities.ts';
import { semanticWeight, similarityRatioMax, unsupportedShare } from './weights.ts';

/** Adds likeness of meaning to what words say. Neither of the two has to be there. */
export function fuseScores(
  ranked: readonly KeywordRanked[],
  { readings, scale, ...asked }: MeaningQuery,
): ScoredCandidate[] {
  const similarities = spreadSimilarities(readings, asked.similarities);
  const byWords = new Map(ranked.map((one) => [one.id, one]));
  const ids = new Set([...byWords.keys(), ...similarities.keys()]);
  return [...ids]
    .map((id) => {
      const similarity = similarities.get(id);
      const near = similarity === undefined ? null : nearness(similarity, scale);
      const words = byWords.get(id);
      const support = words === undefined ? 0 : supportOf(words, near);
      const { keyword, entity, temporal } = scaleParts(words?.parts ?? zeroKeywordScore, support);
      const open = 1 - (keyword + entity + temporal);
      const semantic = semanticWeight * scale.trust * Math.sqrt(near ?? 0) * Math.max(0, open);
      const sum = keyword + entity + temporal + semantic;
      return { id, sum, parts: { keyword, entity, temporal, semantic } };
    })
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum)
    .map(({ id, sum, parts }) => ({ id, ...capAtOne(sum, parts) }));
}

type MeaningQuery = {
  readings: readonly CandidateFeatures[];
  /** The cosines of memories and question, by id. */
  similarities: ReadonlyMap<string, number>;
  scale: VectorScale;
};

const zeroKeywordScore: KeywordScoreParts = { keyword: 0, entity: 0, temporal: 0 };

/**
 * What the score of words is multiplied by. A memory that holds all words of the question needs no
 * support; a part of them says little alone.
 */
function supportOf({ score, isStandalone }: KeywordRanked, near: number | null): number {
  if (!isStandalone || near === null) return 1;
  const supported = Math.min(1, unsupportedShare + near);
  return score * (supported + (1 - supported) * score ** 4);
}

function scaleParts(
  { keyword, entity, temporal }: KeywordScoreParts,
  factor: number,
): KeywordScoreParts {
  return { keyword: keyword * factor, entity: entity * factor, temporal: temporal * factor };
}

/** 0 for unrelated texts, 1 for texts that say the same. */
function nearness(similarity: number, { unrelated, related }: VectorScale): number {
  // A model to which answers are no nearer than anything else says nothing.
  if (related <= unrelated) return 0;
  const way = (similarity - unrelated) / (related - unrelated);
  return Math.min(1, Math.max(0, way) / similarityRatioMax);
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
