import { dayMs } from '../../../contract/wall-clock.ts';
import type { Instant, StoredMemory } from '../../ports/index.ts';
import { type ScoredCandidate, scaleScore } from './scored-candidate.ts';

/** After this many days a memory has lost half of what it can lose, which is half of its score. */
const halfLifeDays = 90;
const decayShareMax = 0.5;

/**
 * Ranks memories lower the longer ago they were added or changed, for projects with `decay`.
 * Immutable memories do not fade, and none disappears: an old memory is still found if nothing
 * newer answers.
 */
export function decayScores(
  ranked: readonly ScoredCandidate[],
  memories: ReadonlyMap<string, StoredMemory>,
  now: Instant,
): ScoredCandidate[] {
  return ranked
    .map((one) => scaleScore(one, decayFactor(memories.get(one.id), now)))
    .sort((one, other) => other.score - one.score);
}

/** The share of the score that stays; the smallest one for a memory that was not read. */
function decayFactor(memory: StoredMemory | undefined, now: Instant): number {
  if (memory === undefined) return 1 - decayShareMax;
  if (memory.immutable) return 1;
  const days = Math.max(0, Date.parse(now) - Date.parse(memory.updated_at)) / dayMs;
  return 1 - decayShareMax + decayShareMax * 0.5 ** (days / halfLifeDays);
}
