import type { Parts, Ranked } from '../recall/rank.ts';

/** Of a memory that was found: what it has of each, the likeness of meaning included. */
export type Scored = { id: string; score: number; parts: Parts & { semantic: number } };

/** What words alone say. */
export function wordsAlone(ranked: readonly Ranked[]): Scored[] {
  return ranked.map(({ id, score, parts: { keyword, entity, temporal } }) => {
    return { id, score, parts: { semantic: 0, keyword, entity, temporal } };
  });
}
