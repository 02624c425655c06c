import { similarityShare } from '../weights.ts';
import type { CandidateFeatures } from './features.ts';

/**
 * How near memories are to the question, where a turn of a conversation is understood from the
 * turns before and after it: its own cosine and a share of theirs. The sum of like vectors grows
 * faster than its length, hence the root. `similarities` are cosines by id, and so is the result,
 * in the same order; a memory outside of a run keeps its own.
 */
export function spreadSimilarities(
  readings: readonly CandidateFeatures[],
  similarities: ReadonlyMap<string, number>,
): Map<string, number> {
  const runs = new Map<string, Map<number, number>>();
  for (const { memory, thread } of readings) {
    const own = similarities.get(memory.id);
    if (memory.run_position === null || own === undefined) continue;
    const run = runs.get(thread);
    if (run === undefined) runs.set(thread, new Map([[memory.run_position, own]]));
    else run.set(memory.run_position, own);
  }
  const spread = new Map(similarities);
  for (const { memory, thread } of readings) {
    const own = similarities.get(memory.id);
    const run = runs.get(thread);
    const position = memory.run_position;
    if (own === undefined || run === undefined || position === null) continue;
    const [before, after] = [run.get(position - 1), run.get(position + 1)];
    const neighbourCount = (before === undefined ? 0 : 1) + (after === undefined ? 0 : 1);
    const lent = similarityShare * ((before ?? 0) + (after ?? 0));
    spread.set(memory.id, (own + lent) / Math.sqrt(1 + similarityShare * neighbourCount));
  }
  return spread;
}
