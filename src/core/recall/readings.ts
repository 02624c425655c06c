import type { Candidate } from '../ports.ts';
import { dayOf } from './calendar.ts';
import { type Passage, passagesOf } from './passages.ts';
import type { Question } from './question.ts';
import { shapeWeight } from './shapes.ts';
import { holdsTerm } from './words.ts';

/** A memory as it was read for one question: all that ranking needs, so that it is read once. */
export type Reading = {
  memory: Candidate;
  /** Whose context it is: of those of the same run with the same owners, else its own only. */
  thread: string;
  /** The day it is of. */
  day: number;
  passages: readonly Passage[];
  /** For each term of the question, whether it names who said this. */
  named: readonly boolean[];
  /** What it counts for how it is put. */
  shape: number;
};

export function readMemory(memory: Candidate, { terms, shapes }: Question): Reading {
  return {
    memory,
    thread: threadOf(memory),
    day: dayOf(memory.created_at),
    passages: passagesOf(memory, terms),
    named: terms.map((term) => term.some((form) => holdsTerm(form, memory.speaker_terms))),
    shape: shapeWeight(memory, shapes),
  };
}

/** Ids hold no line breaks. */
function threadOf({ id, run_id, user_id, agent_id, app_id }: Candidate): string {
  return run_id === null ? id : `${run_id}\n${user_id}\n${agent_id}\n${app_id}`;
}
