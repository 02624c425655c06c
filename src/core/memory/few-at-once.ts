import type { StoredMemory } from '../ports/index.ts';

/** What one part of a change of many memories may hold, so that it holds up nobody. */
const [memoriesMax, charsMax] = [100, 100_000];

/** The memories in parts that are changed at once: of long texts fewer. */
export function* fewAtOnce<M extends Pick<StoredMemory, 'memory' | 'said'>>(
  memories: readonly M[],
): Generator<M[]> {
  let part: M[] = [];
  let chars = 0;
  for (const one of memories) {
    const own = one.memory.length + (one.said?.length ?? 0);
    if (part.length === memoriesMax || (part.length > 0 && chars + own > charsMax)) {
      yield part;
      [part, chars] = [[], 0];
    }
    part.push(one);
    chars += own;
  }
  if (part.length > 0) yield part;
}
