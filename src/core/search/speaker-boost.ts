import type { AskedRole } from './asked-role.ts';
import type { CandidateFeatures } from './features.ts';

/**
 * What a named speaker said counts 1.5 times as much as what others did, and what the side of a
 * chat said that is asked about twice as much: an assistant repeats at length what it was told.
 * Both from the first measurements; 1.25 and 2, and 3, find the same within half a point.
 */
const namedSpeakerBoost = 1.5;
const askedRoleBoost = 2;

/** By how much what a memory says counts for who said it; 1 where that says nothing. */
export function speakerBoost(
  { memory, speakerTerms }: CandidateFeatures,
  { isNaming, side }: SpeakerQuery,
): number {
  if (isNaming) return speakerTerms.includes(true) ? 1 : 1 / namedSpeakerBoost;
  const isUnknown = memory.role === null || memory.speaker_terms !== '';
  return isUnknown || memory.role === side ? 1 : 1 / askedRoleBoost;
}

/** `isNaming`: a term of the question is the name of somebody who said something. */
export type SpeakerQuery = { isNaming: boolean; side: AskedRole };
