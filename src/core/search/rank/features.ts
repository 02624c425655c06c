import type { Candidate, Instant } from '../../ports/index.ts';
import { answerTypeWeight } from '../query/answer-type.ts';
import { dayOf, occurrenceRange } from '../query/days/calendar.ts';
import { overlapShare, type QueryDate } from '../query/days/query-dates.ts';
import type { ParsedQuery } from '../query/query.ts';
import { holdsTerm, type Passage, splitPassages } from './passages.ts';

/** What ranking needs to know of a memory for one question, so that the memory is read once. */
export type CandidateFeatures = {
  memory: Candidate;
  /**
   * Memories of the same run and owners share a thread and lend each other context; any other
   * memory is a thread of its own.
   */
  thread: string;
  /** For each date of the question, how far the memory was said or happens on it, 0 to 1. */
  dateOverlap: readonly number[];
  passages: readonly Passage[];
  /**
   * For each term of the question, whether it names the speaker; empty if the speaker is unknown.
   */
  speakerTerms: readonly boolean[];
  /** The factor for how the memory is worded. */
  answerTypeBoost: number;
};

export function extractFeatures(
  memory: Candidate,
  { terms, dates, answerTypes }: ParsedQuery,
): CandidateFeatures {
  return {
    memory,
    thread: threadOf(memory),
    dateOverlap: dates.length === 0 ? noFeatures : dates.map((date) => dateOverlap(date, memory)),
    passages: splitPassages(memory, terms),
    speakerTerms:
      memory.speaker_terms === '' ? noFeatures : matchSpeakerTerms(memory.speaker_terms, terms),
    answerTypeBoost: answerTypeWeight(memory, answerTypes),
  };
}

/** One list for all: hundreds of memories are read for a question, and most name no speaker. */
const noFeatures: readonly never[] = [];

function matchSpeakerTerms(speaker_terms: string, terms: ParsedQuery['terms']): boolean[] {
  return terms.map((term) => term.some((form) => holdsTerm(form, speaker_terms)));
}

/** Counts when the memory was said, and when the event happens that it tells of. */
function dateOverlap(date: QueryDate, memory: Candidate): number {
  return isOn(date, memory.created_at) ? 1 : occurrenceShare(date, memory);
}

/**
 * How far the event of the memory falls on the date. Only times known to the minute have a time
 * zone; days have none.
 */
export function occurrenceShare(
  date: QueryDate,
  { occurred_at, occurred_granularity }: Pick<Candidate, 'occurred_at' | 'occurred_granularity'>,
): number {
  if (occurred_at === null) return 0;
  if (occurred_granularity === 'minute') return isOn(date, occurred_at) ? 1 : 0;
  return overlapShare(date, occurrenceRange(dayOf(occurred_at), occurred_granularity ?? 'day'));
}

/** Instants compare as text. */
export function isOn(date: QueryDate, instant: Instant): boolean {
  return date.some(({ begin, end }) => begin <= instant && instant < end);
}

/** Ids hold no line breaks. */
function threadOf({ id, run_id, user_id, agent_id, app_id }: Candidate): string {
  return run_id === null ? id : `${run_id}\n${user_id}\n${agent_id}\n${app_id}`;
}

/** True if the memory stands alone and is not a turn of a conversation. */
export function isFact({ memory }: CandidateFeatures): boolean {
  return memory.run_id === null;
}
