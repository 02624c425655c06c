/** What is measured in a turn: which of the contenders, and in which round; round -1 warms up. */
type Turn<T> = { contender: T; index: number; round: number };

/**
 * Each round meets all contenders, a different one first, so that noise meets all alike. The first
 * round is -1: it only warms up.
 */
export async function inRounds<T>(
  contenders: readonly T[],
  rounds: number,
  work: (turn: Turn<T>) => Promise<void>,
): Promise<void> {
  for (let round = -1; round < rounds; round += 1) {
    for (const offset of contenders.keys()) {
      const index = (round + 1 + offset) % contenders.length;
      await work({ contender: contenders[index] as T, index, round });
    }
  }
}
