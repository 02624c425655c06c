import type { Reading } from './readings.ts';
import type { Side } from './side.ts';

/**
 * What a named speaker said counts 1.5 times as much as what others did, and what the side of a
 * chat said that is asked about twice as much: an assistant repeats at length what it was told.
 * Both from the first measurements; 1.25 and 2, and 3, find the same within half a point.
 */
const namedWeight = 1.5;
const sideWeight = 2;

/** By how much what a memory says counts for who said it; 1 where that says nothing. */
export function whoWeight({ memory, named }: Reading, { isNaming, side }: Asked): number {
  if (isNaming) return named.includes(true) ? 1 : 1 / namedWeight;
  const isUnknown = memory.role === null || memory.speaker_terms !== '';
  return isUnknown || memory.role === side ? 1 : 1 / sideWeight;
}

/** `isNaming`: a term of the question is the name of somebody who said something. */
export type Asked = { isNaming: boolean; side: Side };
