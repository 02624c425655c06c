/** A memory as words alone rank it. */
export type KeywordRanked = {
  id: string;
  score: number;
  parts: KeywordScoreParts;
};

/** The parts of a score, which add up to it. */
export type KeywordScoreParts = { keyword: number; entity: number; temporal: number };

/** A memory that was found, with its score and the parts of it, similarity of meaning included. */
export type ScoredCandidate = {
  id: string;
  score: number;
  parts: KeywordScoreParts & { semantic: number };
};

/** The scores by words alone. */
export function withoutSemanticScore(ranked: readonly KeywordRanked[]): ScoredCandidate[] {
  return ranked.map(({ id, score, parts: { keyword, entity, temporal } }) => {
    return { id, score, parts: { semantic: 0, keyword, entity, temporal } };
  });
}

/** Four decimals tell hits apart; further ones are noise of the arithmetic. */
export function roundScore(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}

/** The score and its parts, times a factor; they still add up to it. */
export function scaleScore({ id, ...one }: ScoredCandidate, factor: number): ScoredCandidate {
  const score = roundScore(one.score * factor);
  const semantic = roundScore(one.parts.semantic * factor);
  const entity = roundScore(one.parts.entity * factor);
  const temporal = roundScore(one.parts.temporal * factor);
  const keyword = Math.max(0, roundScore(score - semantic - entity - temporal));
  return { id, score, parts: { semantic, keyword, entity, temporal } };
}
