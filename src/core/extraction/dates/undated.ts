import { anyLanguage, spacedRules, spacelessRules } from '../languages/all-languages.ts';
import { type CalendarWords, listed } from '../languages/calendar-words.ts';

/**
 * A text without what looks like a date and names no single day: what recurs ("every Friday",
 * "Tuesday evenings", "Monday to Thursday"), vague spans ("in a few days") and fractions ("3/8
 * cup"). Spaces stand for it, so that the rest keeps its place.
 */
export function withoutUndated(text: string): { rest: string; isRecurring: boolean } {
  const blank = (match: string) => ' '.repeat(match.length);
  const once = text.replace(recurringPattern, blank);
  const rest = once.replace(vaguePattern, blank).replace(ratioPattern, blank);
  return { rest, isRecurring: once !== text || habitPattern.test(text) };
}

/** The words of all languages; in scripts with spaces, only whole words match. */
function anywhere(wordsOf: (calendar: CalendarWords) => string, flags = 'giu'): RegExp {
  const [spaced, spaceless] = [spacedRules, spacelessRules].map((among) =>
    anyLanguage(({ calendar }) => wordsOf(calendar), among),
  );
  return new RegExp(`(?<!\\p{L})(?:${spaced})(?!\\p{L})|${spaceless}`, flags);
}

const recurringPattern = anywhere(({ recurring: all, weekdays, seasons }) =>
  all
    .join('|')
    .replaceAll('{weekday}', `(?:${listed(weekdays)})`)
    .replaceAll('{season}', seasons),
);
/** "Payday is always the 25th" names a day of every month. */
const habitPattern = anywhere(({ habits }) => habits, 'iu');

const vaguePattern = anywhere(({ vague }) => vague);

/**
 * "3/8 cup", "24/7", "a 4/5": two numbers with a stroke are a date only where one is announced, or
 * beside a year.
 */
const ratioPattern = new RegExp(
  `(?<![\\d/.])(?<!(?<!\\p{L})(?:${anyLanguage(({ calendar }) => calendar.announcing)}):? )` +
    '\\d{1,2}\\/\\d{1,2}(?![\\d/])|(?<!\\d)24\\/7(?!\\d)|' +
    anyLanguage(({ calendar }) => calendar.fractions),
  'giu',
);
