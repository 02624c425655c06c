import { answerBoost, contextShares } from '../weights.ts';
import type { CandidateFeatures } from './features.ts';
import type { Passage } from './passages.ts';

/** Memories of a run lend words to each other up to this distance. */
export const contextWindow = contextShares.length;

/** A passage and its position in its thread: positions of missing memories stay free. */
export type ThreadPosition = { reading: CandidateFeatures; passage: Passage; at: number };

/** The passages of each thread, in the order in which they were said. */
export function positionThreads(readings: readonly CandidateFeatures[]): ThreadPosition[][] {
  const threads = new Map<string, CandidateFeatures[]>();
  for (const reading of readings) {
    const thread = threads.get(reading.thread);
    if (thread === undefined) threads.set(reading.thread, [reading]);
    else thread.push(reading);
  }
  return [...threads.values()].map(positionThread);
}

function positionThread(thread: CandidateFeatures[]): ThreadPosition[] {
  let at = 0;
  let before = 0;
  return thread
    .sort((one, other) => placeInRun(one) - placeInRun(other))
    .flatMap((reading) => {
      // Passages of one memory are as near to each other as memories are.
      at += Math.max(1, placeInRun(reading) - before);
      before = placeInRun(reading);
      return reading.passages.map((passage, part) => {
        if (part > 0) at += 1;
        return { reading, passage, at };
      });
    });
}

function placeInRun({ memory }: CandidateFeatures): number {
  return memory.run_position ?? 0;
}

/** The term frequencies of each passage, with the shares that its neighbours lend it. */
export function spreadTermFrequencies(
  seats: readonly ThreadPosition[],
  frequencies: readonly number[][],
): number[][] {
  const spread = frequencies.map((own) => own.slice());
  for (let one = 0; one < seats.length; one += 1) {
    for (let other = one + 1; other < seats.length; other += 1) {
      const [before, after] = [seats[one], seats[other]];
      const share = contextShares[(after?.at ?? 0) - (before?.at ?? 0) - 1];
      if (share === undefined) break;
      addShare(spread[one], frequencies[other], share);
      addShare(
        spread[other],
        frequencies[one],
        share * (isAnswer(before, after) ? answerBoost : 1),
      );
    }
  }
  return spread;
}

/** True if a person said the second passage directly after the first one asked something. */
function isAnswer(before: ThreadPosition | undefined, after: ThreadPosition | undefined): boolean {
  if (before === undefined || after === undefined) return false;
  if (!before.reading.memory.asks || after.at > before.at + 1) return false;
  return before.reading !== after.reading && after.reading.memory.speaker_terms !== '';
}

function addShare(to: number[] | undefined, from: number[] | undefined, share: number): void {
  if (to === undefined || from === undefined) return;
  for (let feature = 0; feature < to.length; feature += 1) {
    to[feature] = (to[feature] ?? 0) + share * (from[feature] ?? 0);
  }
}
