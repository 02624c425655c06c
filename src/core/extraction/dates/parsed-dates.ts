import type { Granularity } from '../../../contract/schemas/memory.ts';
import { dayMs, isoDayOf } from '../../../contract/wall-clock.ts';
import { isPersonAt } from '../../language/month-names.ts';
import type { DatePart, DateReader, Occurrence, ParsedDate } from '../../ports/extraction.ts';
import type { Instant } from '../../ports/index.ts';
import { anyLanguage, spacedRules } from '../languages/all-languages.ts';
import type { ReadingWords } from '../languages/calendar-words.ts';
import { anyWord } from '../languages/rules.ts';
import { readDayOfMonth } from './day-of-month.ts';
import { readRelativeDate, startOfPeriod } from './relative-dates.ts';
import type { Tense } from './tense.ts';

type DateContext = { said_at: Instant; tense: Tense };
type ReadContext = DateContext & { language: string; isRecurring: boolean };

/**
 * The date that a sentence names, relative to when it was said; null without one. The tense decides
 * what "on Friday" means; a number alone is not a day where something recurs.
 */
export async function readNamedDate(
  said: string,
  { said_at, tense, language, isRecurring }: ReadContext,
  parse: DateReader,
): Promise<Occurrence | null> {
  const text = said
    .replace(hourPattern, '$<hour>:$<minute>')
    .replace(fullHourPattern, '$<hour>:00');
  const parsed = await parse(text, { said_at, language });
  const occurrences = parsed
    .filter((one) => isUsableDate(one, said_at) && !isWithinWord(one, text))
    .filter((one) => language !== 'en' || !isPersonAt(text, one.index))
    .flatMap((one) => toOccurrence(one, { text, said_at, tense }) ?? []);
  // "Last week I booked a table for 12 January" is about that day.
  const isAhead = ({ at }: Occurrence) => tense === 'future' && at > said_at;
  const day =
    occurrences.find(isAhead) ??
    occurrences[0] ??
    readRelativeDate(text, { said_at, tense }) ??
    (isRecurring ? null : readDayOfMonth(text, { said_at, tense }));
  return day && withTimeOfDay(day, parsed);
}

/** The words of all languages, as the source of a pattern. */
function wordsFor(part: Exclude<keyof ReadingWords, 'near'>): string {
  return anyLanguage(({ calendar }) => calendar.reading[part]);
}

/** "9h30" is read in French alone, and "às 9h" is not read. */
const hourPattern = /(?<![\d:.])(?<hour>\d{1,2})h(?<minute>\d\d)(?!\d)/gu;
const fullHourPattern = new RegExp(
  `(?<=(?<!\\p{L})(?:${wordsFor('beforeHour')}) )(?<hour>\\d{1,2}) ?h(?!\\p{L}|\\d)`,
  'giu',
);

/** A duration is not a date, and "now" and "today" add nothing to the time of the message. */
const durationPattern = new RegExp(`^(?:${wordsFor('duration')})(?!\\p{L})`, 'iu');
/** Capital letters tell "May" from "may". */
const otherWordPattern = new RegExp(`^(?:\\d+|${wordsFor('otherWords')})$`, 'u');

function isUsableDate(date: ParsedDate, said_at: string): boolean {
  const { text, certainParts } = date;
  // A number alone is an amount more often than a date, and "may" and "march" are verbs too.
  if (durationPattern.test(text) || otherWordPattern.test(text)) return false;
  const isToday = isoDay(date) === isoDayOf(said_at) && !/\d/.test(text);
  // "We went on Saturday", said on a Saturday, was a week ago; "it opens on Saturday" is to come.
  return isDated(date) && (!isToday || certainParts.has('weekday'));
}

/** "On Friday I have an interview at 15:00": a day takes the only time that stands apart. */
function withTimeOfDay(day: Occurrence, dates: readonly ParsedDate[]): Occurrence {
  const [time, ...others] = dates.filter(({ certainParts }) => certainParts.has('hour'));
  const isAlone = time !== undefined && others.length === 0 && !time.isPeriod;
  if (day.granularity !== 'day' || !isAlone || isDated(time)) return day;
  const at = new Date(day.at);
  at.setUTCHours(time.values.hour ?? 0, time.values.minute ?? 0);
  return { at: at.toISOString(), granularity: 'minute' };
}

function isDated({ certainParts }: ParsedDate): boolean {
  const parts: readonly DatePart[] = ['day', 'weekday', 'month', 'year'];
  return parts.some((part) => certainParts.has(part));
}

/** In a word such as "декрет" are the letters of a month. */
function isWithinWord({ index, text: dateText }: ParsedDate, text: string): boolean {
  const ends = /\p{Ll}$/iu.test(dateText) && /^\p{Ll}/iu.test(text.slice(index + dateText.length));
  return ends || (/^\p{Ll}/iu.test(dateText) && /\p{Ll}$/iu.test(text.slice(0, index)));
}

function toOccurrence(
  parsed: ParsedDate,
  { text, said_at, tense }: DateContext & { text: string },
): Occurrence | null {
  const { text: dateText, index, values } = parsed;
  const granularity = granularityOf(
    parsed,
    `${text.slice(Math.max(0, index - 8), index)}${dateText}`,
  );
  const date = new Date(Date.UTC(values.year ?? 0, (values.month ?? 1) - 1, values.day ?? 1));
  if (Number.isNaN(date.getTime())) return null;
  adjustYearOrWeek(date, parsed, { said_at, tense: tenseOfDate(parsed, text, tense) });
  // It begins on Saturday.
  if (weekendPattern.test(dateText) && date.getUTCDay() === 0)
    date.setUTCDate(date.getUTCDate() - 1);
  if (granularity === 'minute') date.setUTCHours(values.hour ?? 0, values.minute ?? 0);
  return { at: startOfPeriod(date, granularity).toISOString(), granularity };
}

/** The tense of a date; `begun` for a state that began then: "sober since February 2". */
function tenseOfDate({ index, text }: ParsedDate, all: string, tense: Tense): Tense | 'begun' {
  const preceding = all.slice(Math.max(0, index - contextChars), index);
  // A leading space keeps a cut from looking like the start of the sentence.
  const before = index > contextChars ? ` ${preceding}` : preceding;
  const after = all.slice(index + text.length, index + text.length + contextChars);
  if (sincePattern.test(before) || sinceAfterPattern.test(after)) return 'past';
  if (tense === null && comingPattern.test(before)) return 'future';
  const isFrom = fromPattern.test(before) || fromIn.test(text) || fromAfterPattern.test(after);
  return tense === null && (isFrom || perfectPattern.test(before)) ? 'begun' : tense;
}

/** The words before a date, with what may stand between. */
function leading(words: string): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${words})(?: (?:${wordsFor('articles')})){0,3} $`, 'iu');
}

/** Words only for a past beginning, and words also for a coming one. */
const sincePattern = leading(wordsFor('since'));
const sinceAfterPattern = new RegExp(`^\\s?(?:${wordsFor('sinceAfter')})`, 'u');
const fromPattern = leading(wordsFor('from'));
const fromIn = new RegExp(`^(?:${wordsFor('from')}) `, 'iu');
const fromAfterPattern = new RegExp(`^\\s?(?:${wordsFor('fromAfter')})`, 'u');

/** "The exam is on", "from Monday", "starting": what is said of a day in the present is to come. */
const comingPattern = leading(
  `${anyLanguage(({ calendar }) => calendar.present, spacedRules)}|${wordsFor('coming')}`,
);
const perfectPattern = new RegExp(`(?<!\\p{L})(?:${wordsFor('perfect')}) $`, 'iu');
const contextChars = 60;

const weekendPattern = new RegExp(wordsFor('weekend'), 'iu');
const dayPattern = new RegExp(wordsFor('ofDay'), 'iu');
const weekPattern = new RegExp(wordsFor('ofWeek'), 'iu');
const monthPattern = new RegExp(wordsFor('ofMonth'), 'iu');
const dayNumberPattern = new RegExp(`\\d{1,2}(?:[. ]|${wordsFor('dayEnd')})`, 'u');

function granularityOf({ certainParts: told }: ParsedDate, text: string): Granularity {
  if (told.has('weekday')) return told.has('hour') ? 'minute' : 'day';
  if (dayPattern.test(text)) return 'day';
  if (weekPattern.test(text)) return 'week';
  if (!told.has('day')) return told.has('month') ? 'month' : 'year';
  if (monthPattern.test(text) && !dayNumberPattern.test(text)) return 'month';
  return told.has('hour') ? 'minute' : 'day';
}

/** Uses the tense to place a weekday, or a day without a year, before or after now. */
function adjustYearOrWeek(
  date: Date,
  { text, certainParts: told }: ParsedDate,
  { said_at, tense }: { said_at: string; tense: Tense | 'begun' },
): void {
  const saysLast = lastPattern.test(text);
  const now = Date.parse(`${isoDayOf(said_at)}T00:00:00.000Z`);
  const isBefore = date.getTime() < now;
  if (told.has('weekday') && !told.has('day')) {
    if ((tense === 'past' || tense === 'begun') && !isBefore)
      date.setUTCDate(date.getUTCDate() - 7);
    // "My flight is on Friday": present tense means a coming day.
    const isReached = date.getTime() === now && !todayPattern.test(text);
    if (tense !== 'past' && tense !== 'begun' && (isBefore || isReached) && !saysLast)
      date.setUTCDate(date.getUTCDate() + 7);
  } else if (told.has('month') && !told.has('year')) {
    const [year, monthNow] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
    const ofDay = told.has('day');
    date.setUTCFullYear(year);
    const later = ofDay ? date.getTime() > now : date.getUTCMonth() > monthNow;
    const earlier = ofDay ? date.getTime() < now : date.getUTCMonth() < monthNow;
    if (tense === 'past' && later) date.setUTCFullYear(year - 1);
    if (tense === 'future' && earlier) date.setUTCFullYear(year + 1);
    // "My flight is on January 5", said in December.
    const isLongAgo = now - date.getTime() > halfYearMs;
    if (tense === null && isLongAgo) date.setUTCFullYear(year + 1);
  }
}

const lastPattern = anyWord(wordsFor('last'));
/** "This Friday", "today, Friday". */
const todayPattern = new RegExp(
  `(?<!\\p{L})(?:${wordsFor('today')})(?!\\p{L})|${wordsFor('todayWithin')}`,
  'iu',
);

const halfYearMs = 182 * dayMs;

function isoDay({ values: { year, month, day } }: ParsedDate): string {
  const two = (part = 1) => String(part).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)}`;
}
