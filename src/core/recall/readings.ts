import type { Candidate } from '../ports.ts';
import { type Days, dayOf, oneDay, spanOf } from './calendar.ts';
import { type AskedDate, shareOn } from './dates.ts';
import { type Passage, passagesOf } from './passages.ts';
import type { Question } from './question.ts';
import { shapeWeight } from './shapes.ts';
import { holdsTerm } from './words.ts';

/** A memory as it was read for one question: all that ranking needs, so that it is read once. */
export type Reading = {
  memory: Candidate;
  /** Whose context it is: of those of the same run with the same owners, else its own only. */
  thread: string;
  /** For each date of the question, how far it was said or happens then, 0 to 1. */
  dated: readonly number[];
  passages: readonly Passage[];
  /** For each term of the question, whether it names who said this; empty where nobody is known. */
  named: readonly boolean[];
  /** What it counts for how it is put. */
  shape: number;
};

export function readMemory(memory: Candidate, { terms, dates, shapes }: Question): Reading {
  return {
    memory,
    thread: threadOf(memory),
    dated: dates.length === 0 ? none : datedOn(dates, daysOf(memory)),
    passages: passagesOf(memory, terms),
    named: memory.speaker_terms === '' ? none : namedIn(memory.speaker_terms, terms),
    shape: shapeWeight(memory, shapes),
  };
}

/** One for all: hundreds of memories are read for a question, most of which name no speaker. */
const none: readonly never[] = [];

function datedOn(dates: Question['dates'], days: readonly Days[]): number[] {
  return dates.map((date) => mostOn(date, days));
}

function namedIn(speaker_terms: string, terms: Question['terms']): boolean[] {
  return terms.map((term) => term.some((form) => holdsTerm(form, speaker_terms)));
}

/** The day on which it was said, and those of what it tells. */
function daysOf({ created_at, occurred_at, occurred_granularity }: Candidate): Days[] {
  const said = oneDay(dayOf(created_at));
  if (occurred_at === null) return [said];
  return [said, spanOf(dayOf(occurred_at), occurred_granularity ?? 'day')];
}

function mostOn(date: AskedDate, days: readonly Days[]): number {
  return Math.max(...days.map((some) => shareOn(date, some)));
}

/** Ids hold no line breaks. */
function threadOf({ id, run_id, user_id, agent_id, app_id }: Candidate): string {
  return run_id === null ? id : `${run_id}\n${user_id}\n${agent_id}\n${app_id}`;
}
