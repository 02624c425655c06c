import type { KeywordRanked, KeywordScoreParts } from './rank.ts';

/** Of a memory that was found: what it has of each, the likeness of meaning included. */
export type ScoredCandidate = {
  id: string;
  score: number;
  parts: KeywordScoreParts & { semantic: number };
};

/** What words alone say. */
export function withoutSemanticScore(ranked: readonly KeywordRanked[]): ScoredCandidate[] {
  return ranked.map(({ id, score, parts: { keyword, entity, temporal } }) => {
    return { id, score, parts: { semantic: 0, keyword, entity, temporal } };
  });
}
