import type { Scored } from '../meaning/scored.ts';
import type { Instant, StoredMemory } from '../ports.ts';

/** After so many days a memory has lost half of what it can lose, and that is half of its score. */
const halfLifeDays = 90;
const lost = 0.5;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Ranks memories lower the longer ago they were added or changed, for projects with `decay`.
 * Immutable ones do not fade, and none goes: what nothing newer answers is still found.
 */
export function fade(
  ranked: readonly Scored[],
  memories: ReadonlyMap<string, StoredMemory>,
  now: Instant,
): Scored[] {
  return ranked
    .map((one) => fadeOne(one, shareLeft(memories.get(one.id), now)))
    .sort((one, other) => other.score - one.score);
}

/** What is left of the score; of one that is not among the memories, the least. */
function shareLeft(memory: StoredMemory | undefined, now: Instant): number {
  if (memory === undefined) return 1 - lost;
  if (memory.immutable) return 1;
  const days = Math.max(0, Date.parse(now) - Date.parse(memory.updated_at)) / dayMs;
  return 1 - lost + lost * 0.5 ** (days / halfLifeDays);
}

function fadeOne({ id, score, parts }: Scored, share: number): Scored {
  const { semantic, keyword, entity, temporal } = parts;
  return {
    id,
    score: rounded(score * share),
    parts: {
      semantic: rounded(semantic * share),
      keyword: rounded(keyword * share),
      entity: rounded(entity * share),
      temporal: rounded(temporal * share),
    },
  };
}

/** As in scores by words. */
function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
