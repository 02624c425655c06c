import type { VectorScale } from '../../ports/index.ts';
import { factScorePower, factWordsWeight, semanticWeight, similarityRatioMax } from '../weights.ts';
import { type CandidateFeatures, isFact } from './features.ts';
import { type KeywordRanked, roundScore, type ScoredCandidate } from './scored-candidate.ts';
import { spreadSimilarities } from './turn-similarities.ts';

/** Adds similarity of meaning to the score by words. A memory may have only one of the two. */
export function fuseScores(
  ranked: readonly KeywordRanked[],
  { readings, whole, scale, ...query }: MeaningQuery,
): ScoredCandidate[] {
  const similarities = spreadSimilarities(readings, query.similarities);
  const byWords = new Map(ranked.map((one) => [one.id, one]));
  const facts = new Set(readings.filter(isFact).map(({ memory }) => memory.id));
  const ids = new Set([...byWords.keys(), ...similarities.keys()]);
  return [...ids]
    .map((id) => {
      const similarity = similarities.get(id);
      const words = byWords.get(id) ?? noWords;
      if (similarity === undefined) return { id, sum: words.score, parts: joinParts(words, 1, 0) };
      const near = nearness(similarity, scale);
      return { id, ...(facts.has(id) ? scoreFact(words, near, whole) : scoreTurn(words, near)) };
    })
    .filter(({ sum }) => sum > 0)
    .sort((one, other) => other.sum - one.sum)
    .map(({ id, sum, parts }) => ({ id, ...capAtOne(sum, parts) }));
}

type MeaningQuery = {
  readings: readonly CandidateFeatures[];
  /** The weight of all words of the question: rarer words weigh more. */
  whole: number;
  /** The cosines of memories and question, by id. */
  similarities: ReadonlyMap<string, number>;
  scale: VectorScale;
};

type WordScore = Pick<KeywordRanked, 'score' | 'parts'>;
const noWords: WordScore = { score: 0, parts: { keyword: 0, entity: 0, temporal: 0 } };

type FusedScore = { sum: number; parts: ScoredCandidate['parts'] };

/** Words and meaning are independent evidence: the doubt that both leave is a product. */
function scoreTurn(words: WordScore, near: number): FusedScore {
  const semantic = semanticWeight * Math.sqrt(near) * (1 - words.score);
  return { sum: words.score + semantic, parts: joinParts(words, 1, semantic) };
}

/**
 * Words count by how much they tell, not by their share of the question: all words of a question in
 * common words tell no more than some words of a question in rare ones.
 */
function scoreFact(words: WordScore, near: number, whole: number): FusedScore {
  const wordEvidence = factWordsWeight * (whole * words.score ** 2) ** 2;
  const sum = (near + wordEvidence) ** factScorePower;
  const semantic = sum === 0 ? 0 : sum * (near / (near + wordEvidence));
  const share = words.score === 0 ? 0 : (sum - semantic) / words.score;
  return { sum, parts: joinParts(words, share, semantic) };
}

function joinParts(
  { parts }: WordScore,
  share: number,
  semantic: number,
): ScoredCandidate['parts'] {
  const { keyword, entity, temporal } = parts;
  return { keyword: keyword * share, entity: entity * share, temporal: temporal * share, semantic };
}

/** 0 for unrelated texts, 1 for texts that say the same. */
function nearness(similarity: number, { unrelated, related, trust }: VectorScale): number {
  // A model says nothing if it finds answers as far away as anything else.
  if (related <= unrelated) return 0;
  const ratio = (similarity - unrelated) / (related - unrelated);
  return trust * Math.min(1, Math.max(0, ratio) / similarityRatioMax);
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
