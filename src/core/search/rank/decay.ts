import { dayMs } from '../../../contract/wall-clock.ts';
import type { Instant, StoredMemory } from '../../ports/index.ts';
import { type ScoredCandidate, scaleScore } from './scored-candidate.ts';

/** After so many days a memory has lost half of what it can lose, and that is half of its score. */
const halfLifeDays = 90;
const decayShareMax = 0.5;

/**
 * Ranks memories lower the longer ago they were added or changed, for projects with `decay`.
 * Immutable ones do not fade, and none goes: what nothing newer answers is still found.
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

/** What is left of the score; of one that is not among the memories, the least. */
function decayFactor(memory: StoredMemory | undefined, now: Instant): number {
  if (memory === undefined) return 1 - decayShareMax;
  if (memory.immutable) return 1;
  const days = Math.max(0, Date.parse(now) - Date.parse(memory.updated_at)) / dayMs;
  return 1 - decayShareMax + decayShareMax * 0.5 ** (days / halfLifeDays);
}
