import type { QueryReading } from '../language/read.ts';
import { termsAsked } from '../memory/analyze.ts';
import type { Instant, Term } from '../ports.ts';
import { type AskedDate, readDates } from './dates.ts';
import { type AskedShapes, shapesAsked } from './shapes.ts';
import { type Side, sideAsked } from './side.ts';

/** What a query asks for, as far as words tell. */
export type Question = {
  /** The words that say what it is about, in order. */
  terms: readonly Term[];
  dates: readonly AskedDate[];
  side: Side;
  shapes: AskedShapes;
};

/** Reads a query; `now` is what "yesterday" is counted from. */
export function readQuestion(query: string, now: Instant, reading: QueryReading): Question {
  return {
    terms: termsAsked(query, reading),
    dates: readDates(query, now, reading.sure),
    side: sideAsked(query),
    shapes: shapesAsked(query),
  };
}

/** The question without what is read between its words: dates, and how an answer would be put. */
export function wordsOnly(question: Question): Question {
  return { ...question, dates: [], shapes: [] };
}
