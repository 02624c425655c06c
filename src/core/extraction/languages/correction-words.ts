import { eachOnce } from './alternatives.ts';
import { type CalendarWords, listed, weekdaysOf } from './calendar-words.ts';

/** How a language corrects a date that was named before; sources of patterns. */
export type CorrectionWords = {
  /** Apologies that may come before a correction. */
  apologies: string;
  /** "I meant", before the date; or "is wrong", behind it. */
  meant?: string;
  mistaken?: string;
  /** Such an apology corrects a date only if the sentence says nothing else. */
  apologyOnly?: string;
  /** May stand between "I meant" and the date. */
  fillers?: string;
  /** After these words a sentence goes on. */
  continues?: string;
  /** Endings of the number of a day. */
  ordinal?: string;
  /** Between a day and its month. */
  of?: string;
  /** Behind the number of an hour. */
  hours?: string;
  /** A day of a month, where months have numbers. */
  dayOfMonth?: string;
};

type DateLanguage = { calendar: CalendarWords; corrections: CorrectionWords; isSpaceless?: true };

/** Kinds of dates in these languages, and names of months. */
export function dateSourcesOf(languages: readonly DateLanguage[]) {
  const spaced = languages.filter(({ isSpaceless }) => isSpaceless === undefined);
  const spaceless = languages.filter(({ isSpaceless }) => isSpaceless);
  const all = (word: keyof CorrectionWords) =>
    wordsOf(languages, ({ corrections }) => corrections[word]);
  // Spelled out: "market 5" is not a day in March.
  const months = `(?:${wordsOf(spaced, ({ calendar }) => listed(calendar.months))})`;
  const weekday = eachOnce(
    `(?<!\\p{L})(?:${wordsOf(spaced, ({ calendar }) => weekdaysOf(calendar))})(?!\\p{L})`,
    wordsOf(spaceless, ({ calendar }) => listed(calendar.weekdays)),
  );
  // "March 26", "the 5th of December".
  const dayOfMonth = eachOnce(
    `(?<!\\p{L})${months}\\.? \\d{1,2}(?:${all('ordinal')})?(?!\\d)`,
    `(?<!\\d)\\d{1,2}(?:${all('ordinal')}|\\.)? (?:(?:${all('of')}) )?${months}(?!\\p{L})`,
    all('dayOfMonth'),
  );
  const hour = `(?<![\\d:])\\d{1,2}(?::\\d\\d)? ?(?:${all('hours')})|(?<!\\d)\\d{1,2}:\\d\\d(?!\\d)`;
  return { kinds: [weekday, dayOfMonth, hour], months };
}

function wordsOf(
  languages: readonly DateLanguage[],
  pick: (language: DateLanguage) => string | undefined,
): string {
  return eachOnce(...languages.map(pick));
}
