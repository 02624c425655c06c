import type { Chrono, ParsedComponents, ParsedResult } from 'chrono-node';
import type { Granularity } from '../../contract/schemas/memory.ts';
import type { DateReader, Occurrence } from '../../core/ports/index.ts';
import { createTurns } from '../../turns.ts';
import { readDayOfMonth } from './day-of-month.ts';
import { lastWordPattern, readRelativeDate } from './relative-dates.ts';

/**
 * Reads dates with chrono, in UTC. Its rules for a language are loaded with the first sentence of
 * that language that looks dated.
 */
export function createDateReader(): DateReader {
  const loaded = new Map<string, Promise<ChronoParse>>();
  return async (said, { language, said_at, tense, isRecurring }) => {
    const text = said
      .replace(hourPattern, '$<hour>:$<minute>')
      .replace(fullHourPattern, '$<hour>:00');
    const reference = { instant: new Date(said_at), timezone: 0 };
    const load = parserLoaders[language] ?? loadEnglish;
    const parsing = loaded.get(language) ?? load();
    loaded.set(language, parsing);
    const found = (await parsing)(text, reference);
    const named = found
      .filter((one) => isUsableDate(one, said_at) && !isWithinWord(one, text))
      .flatMap((result) => toOccurrence(result, { text, said_at, tense }) ?? []);
    // "Last week I booked a table for 12 January" is about that day.
    const isAhead = ({ at }: Occurrence) => tense === 'future' && at > said_at;
    const occurrence = named.find(isAhead) ?? named[0];
    if (occurrence !== undefined) return withTimeOfDay(occurrence, found);
    const relative =
      readRelativeDate(text, { said_at, tense }) ??
      (isRecurring ? null : readDayOfMonth(text, { said_at, tense }));
    return relative && withTimeOfDay(relative, found);
  };
}

/** "9h30" is read in French alone, and "às 9h" is not read. */
const hourPattern = /(?<![\d:.])(?<hour>\d{1,2})h(?<minute>\d\d)(?!\d)/gu;
const fullHourPattern = /(?<=(?<!\p{L})(?:à|às) )(?<hour>\d{1,2}) ?h(?!\p{L}|\d)/giu;

type ChronoParse = (text: string, reference: { instant: Date; timezone: number }) => ParsedResult[];

/** A chrono of one language, and the class that it is of. */
type LoadedChrono = { casual: Chrono; Chrono: typeof Chrono };

/**
 * Each parser makes its patterns with the first text that it reads, some tens of milliseconds for
 * all of them: one after the other, so that others have their turn.
 */
async function warmUp({ casual, Chrono: OneParser }: LoadedChrono): Promise<ChronoParse> {
  const rest = createTurns();
  for (const parser of casual.parsers) {
    await rest();
    const reader = new OneParser({ parsers: [parser], refiners: [] });
    // Read once, a pattern is interpreted; the second time it is compiled, which takes long.
    for (const text of ['1', '2', '1 –']) reader.parse(text);
  }
  return (text, reference) => casual.parse(text, reference);
}

const loadEnglish = async () => warmUp(await import('chrono-node/en'));

const parserLoaders: Record<string, () => Promise<ChronoParse>> = {
  en: loadEnglish,
  de: async () => warmUp(await import('chrono-node/de')),
  fr: async () => warmUp(await import('chrono-node/fr')),
  es: async () => warmUp(await import('chrono-node/es')),
  it: async () => warmUp(await import('chrono-node/it')),
  pt: async () => warmUp(await import('chrono-node/pt')),
  ru: async () => warmUp(await import('chrono-node/ru')),
  ja: async () => warmUp(await import('chrono-node/ja')),
  zh: async () => warmUp(await import('chrono-node/zh')),
};

/** A duration is not a date, and "now" and "today" add nothing to the time of the message. */
const durationPattern = new RegExp(
  '^(?:for|within|during|over|seit|für|während|pendant|depuis|durante|' +
    'desde hace|por|per|da|há)(?!\\p{L})',
  'iu',
);

function isUsableDate({ text, start }: ParsedResult, said_at: string): boolean {
  if (durationPattern.test(text)) return false;
  // A number alone is an amount more often than a date, and "may" and "march" are verbs too.
  if (/^\d+$/.test(text) || /^(?:may|march|mar|sat|sun|second)$/.test(text)) return false;
  const isToday = isoDay(start) === said_at.slice(0, 10) && !/\d/.test(text);
  // "We went on Saturday", said on a Saturday, was a week ago; "it opens on Saturday" is to come.
  return isDated(start) && (!isToday || start.isCertain('weekday'));
}

/** "On Friday I have an interview at 15:00": a day takes the only time that stands apart. */
function withTimeOfDay(day: Occurrence, found: readonly ParsedResult[]): Occurrence {
  const [time, ...others] = found.filter(({ start }) => start.isCertain('hour'));
  const isAlone = time !== undefined && others.length === 0 && time.end === null;
  if (day.granularity !== 'day' || !isAlone || isDated(time.start)) return day;
  const at = new Date(day.at);
  at.setUTCHours(time.start.get('hour') ?? 0, time.start.get('minute') ?? 0);
  return { at: at.toISOString(), granularity: 'minute' };
}

function isDated(start: ParsedComponents): boolean {
  const parts = ['day', 'weekday', 'month', 'year'] as const;
  return parts.some((part) => start.isCertain(part));
}

/** In a word such as "декрет" are the letters of a month. */
function isWithinWord({ index, text: found }: ParsedResult, text: string): boolean {
  const ends = /\p{Ll}$/iu.test(found) && /^\p{Ll}/iu.test(text.slice(index + found.length));
  return ends || (/^\p{Ll}/iu.test(found) && /\p{Ll}$/iu.test(text.slice(0, index)));
}

type DateTense = 'past' | 'future' | null;
type DateContext = { said_at: string; tense: DateTense };

function toOccurrence(
  result: ParsedResult,
  { text, said_at, tense }: DateContext & { text: string },
): Occurrence | null {
  const { text: found, index, start } = result;
  const granularity = granularityOf(start, `${text.slice(Math.max(0, index - 8), index)}${found}`);
  const date = new Date(
    Date.UTC(start.get('year') ?? 0, (start.get('month') ?? 1) - 1, dayOrFirst(start)),
  );
  if (Number.isNaN(date.getTime())) return null;
  adjustYearOrWeek(date, result, { said_at, tense: tenseOfDate(result, text, tense) });
  if (weekendPattern.test(found) && date.getUTCDay() === 0) date.setUTCDate(date.getUTCDate() - 1);
  if (granularity === 'minute') date.setUTCHours(start.get('hour') ?? 0, start.get('minute') ?? 0);
  return { at: startOfPeriod(date, granularity).toISOString(), granularity };
}

/** The tense of a date; `begun` for a state that began then: "sober since February 2". */
function tenseOfDate(
  { index, text }: ParsedResult,
  all: string,
  tense: DateTense,
): DateTense | 'begun' {
  const preceding = all.slice(Math.max(0, index - contextChars), index);
  // A leading space keeps a cut from looking like the start of the sentence.
  const before = index > contextChars ? ` ${preceding}` : preceding;
  const after = all.slice(index + text.length, index + text.length + contextChars);
  if (sincePattern.test(before) || sinceAfterPattern.test(after)) return 'past';
  if (tense === null && comingPattern.test(before)) return 'future';
  const isFrom = fromPattern.test(before) || /^с /iu.test(text) || /^\s?から/u.test(after);
  return tense === null && (isFrom || perfectTensePattern.test(before)) ? 'begun' : tense;
}

/** Words only for a past beginning, and words also for a coming one. */
const sincePattern =
  /(?<!\p{L})(?:since|seit|depuis)(?: (?:early|mid|late|dem|den|der|le|la|l['’])){0,2} $/iu;
const sinceAfterPattern = /^\s?以来/u;
const fromPattern = /(?<!\p{L})(?:desde|dal|с)(?: (?:el|o|dia|día)){0,2} $/iu;

/** "The exam is on", "from Monday", "starting": what is said of a day in the present is to come. */
const comingPattern = new RegExp(
  '(?<!\\p{L})(?:starting|beginning|from|as of|is|are|starts?|begins?|opens?|closes?|ends?|ab|' +
    'ist|sind|beginnt|findet|à partir|est|sont|commence|es|son|empieza|a partir|è|sono|inizia|' +
    'comincia|a partire|é|são|começa)(?: (?:on|the|dem|am|statt am|de|du|le|el|del|il|da|dal|' +
    'na|no|em|dia))* $',
  'iu',
);

/** "The photo taken on", "I have been in Rome on". */
const perfectTensePattern = new RegExp(
  "(?<!\\p{L})(?:(?:have|has|i['’]ve|we['’]ve|they['’]ve) been (?:in|at|to|on|with)" +
    '(?: \\p{L}+){1,3}|^(?:the|this|my|our|a) (?:\\p{L}+ ){1,3}taken)(?: on| from)? $',
  'iu',
);
const contextChars = 60;

/** It begins on Saturday. */
const weekendPattern = /weekend|wochenende|week-end|fin de semana|fine settimana|fim de semana/iu;

function dayOrFirst(start: ParsedComponents): number {
  return start.get('day') ?? 1;
}

const weekPattern =
  /week(?!end)|woche(?!nende)|semaine|semana|settimana|недел|週|周(?!末)|星期[^一二三四五六日天]|个星期/iu;
const monthPattern = /month|monat|mois|\bmes(?:e|es|i)?\b|mês|месяц|月/iu;

function granularityOf(start: ParsedComponents, text: string): Granularity {
  if (start.isCertain('weekday')) return start.isCertain('hour') ? 'minute' : 'day';
  if (/\b(?:days?|tage?n?|jours?|d[ií]as|giorni?)\b|дн|日前|天/iu.test(text)) return 'day';
  if (weekPattern.test(text)) return 'week';
  if (!start.isCertain('day')) return start.isCertain('month') ? 'month' : 'year';
  if (monthPattern.test(text) && !/\d{1,2}(?:日|\.|º| de | )/u.test(text)) return 'month';
  return start.isCertain('hour') ? 'minute' : 'day';
}

/** Uses the tense to place a weekday, or a day without a year, before or after now. */
function adjustYearOrWeek(
  date: Date,
  { text, start }: ParsedResult,
  { said_at, tense }: { said_at: string; tense: DateTense | 'begun' },
): void {
  const named = lastWordPattern.test(text);
  const now = Date.parse(`${said_at.slice(0, 10)}T00:00:00.000Z`);
  const isBefore = date.getTime() < now;
  if (start.isCertain('weekday') && !start.isCertain('day')) {
    if (tense === 'past' && !isBefore) date.setUTCDate(date.getUTCDate() - 7);
    // "My flight is on Friday": present tense means a coming day.
    const isReached = date.getTime() === now && !thisPattern.test(text);
    if (tense !== 'past' && tense !== 'begun' && (isBefore || isReached) && !named)
      date.setUTCDate(date.getUTCDate() + 7);
  } else if (start.isCertain('month') && !start.isCertain('year')) {
    const [year, monthNow] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
    const ofDay = start.isCertain('day');
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

/** "This Friday", "today, Friday". */
const thisPattern = /(?<!\p{L})(?:this|today|heute|aujourd|hoy|oggi|hoje|сегодня)(?!\p{L})|今/iu;

const halfYearMs = 182 * 24 * 60 * 60 * 1000;

function startOfPeriod(date: Date, granularity: Granularity): Date {
  const [year, monthNumber, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (granularity === 'year') return new Date(Date.UTC(year, 0, 1));
  if (granularity === 'month') return new Date(Date.UTC(year, monthNumber, 1));
  if (granularity === 'week') {
    return new Date(Date.UTC(year, monthNumber, day - ((date.getUTCDay() + 6) % 7)));
  }
  return date;
}

function isoDay(start: ParsedComponents): string {
  const [year, monthNumber, day] = [start.get('year'), start.get('month'), start.get('day')];
  const two = (part: number | null) => String(part ?? 1).padStart(2, '0');
  return `${year}-${two(monthNumber)}-${two(day)}`;
}
