import type { DateReader, Instant, Occurrence, Validity } from '../../ports/index.ts';
import {
  anyLanguage,
  detectRuleLanguages,
  rulesOf,
  spacedRules,
  spacelessRules,
} from '../languages/all-languages.ts';
import type { LanguageRules } from '../languages/rules.ts';
import { memoryTypeOf } from '../memory-type.ts';
import { readDayPeriod } from './calendar.ts';
import { movedTo } from './moved-days.ts';
import { tenseOf } from './tense.ts';
import { createTextDater, type DatedText, type TextDater } from './text-dates.ts';

type ValidityReading = DatedText & { rules: LanguageRules; readDate: TextDater };

/**
 * From when until when a sentence says that something is true: "since March", "until 2023", "from
 * 2019 to 2021". "Until 2023" ends when 2023 begins, "until Friday" and a range include their last
 * day or period. Hours of a day say nothing of it. Undefined without such words.
 */
export async function readValidity(
  said: string,
  { rules, readDate, ...about }: ValidityReading,
): Promise<Validity | undefined> {
  const { since, starting, until, range } = rules.validity;
  const read = (words: Words, tense: DatedText['tense']) =>
    dateOf(words, { rules, readDate, about: { ...about, tense } });
  const moved = movedTo(said, rules);
  const tense = moved === null ? about.tense : 'future';
  const days = readDayPeriod(moved ?? said, about.language, { ...about, tense });
  if (days !== null) {
    const end = endOf({ at: days.last.toISOString(), granularity: 'day' });
    return { valid_from: days.from.toISOString(), valid_until: end };
  }
  // "Postponed until Friday": it takes place then.
  if (moved !== null && !rules.dates.extended.test(said)) return undefined;
  const between = moved === null ? (range.exec(said) ?? yearRange.exec(said))?.groups : undefined;
  if (between !== undefined) {
    const from = await read({ date: between.from }, 'past');
    const last = await read({ date: between.until }, from === null ? null : about.tense);
    if (from !== null && last !== null && isPeriod(from, between.from)) {
      const end = endOf(last);
      if (from.at < end) return { valid_from: from.at, valid_until: end };
    }
  }
  const rest = moved ?? said;
  const begun = wordsOf(since, rest);
  const begins = wordsOf(starting, rest);
  const from =
    (begun && (await read(begun, 'past'))) ?? (begins && (await read(begins, about.tense))) ?? null;
  const ends = wordsOf(until, said);
  const last = ends && (await read(ends, tense === 'past' ? 'past' : 'future'));
  const valid_from = from?.at ?? null;
  const valid_until = last === null || ends === null ? null : untilOf(last, ends);
  if (valid_from === null && valid_until === null) return undefined;
  const isOrdered = valid_from === null || valid_until === null || valid_from < valid_until;
  return isOrdered ? { valid_from, valid_until } : undefined;
}

/** Reads when a sentence is true whose language and tense are not known. */
export function createValidityReader(
  dates: DateReader,
): (said: string, said_at: Instant) => Promise<Validity | undefined> {
  const readDate = createTextDater(dates);
  return async (said, said_at) => {
    for (const language of detectRuleLanguages(said)) {
      const rules = rulesOf(language);
      const tense = tenseOf(said, memoryTypeOf(said, rules), rules);
      const validity = await readValidity(said, { said_at, tense, language, rules, readDate });
      if (validity !== undefined) return validity;
    }
    return undefined;
  };
}

const yearRange = /(?<![\d.,-])(?<from>(?:19|20)\d\d) ?[-–—] ?(?<until>(?:19|20)\d\d)(?![\d-])/u;

/** The words of a date, and those with the word that leads to it. */
type Words = { date: string | undefined; whole?: string };

function wordsOf(pattern: RegExp, said: string): Words | null {
  const match = pattern.exec(said);
  return match === null ? null : { date: match.groups?.date, whole: match[0] };
}

type DateReading = { rules: LanguageRules; readDate: TextDater; about: DatedText };

/** The date must come at once: "until I moved in 2019" is not read. */
async function dateOf(
  { date = '', whole }: Words,
  { rules, readDate, about }: DateReading,
): Promise<Occurrence | null> {
  const at = date.search(rules.dated);
  if (at < 0 || at > dateWithinChars) return null;
  const occurrence =
    (whole === undefined ? null : await readDate(whole, about)) ??
    (await readDate(date, about)) ??
    yearIn(date);
  return occurrence === null || occurrence.granularity === 'minute' ? null : occurrence;
}

const dateWithinChars = 14;

function yearIn(words: string): Occurrence | null {
  const year = yearAtStart.exec(words)?.[1];
  return year === undefined ? null : { at: `${year}-01-01T00:00:00.000Z`, granularity: 'year' };
}

const yearAtStart = new RegExp(
  `^(?:${anyLanguage(({ calendar }) => calendar.yearLead)})?((?:19|20)\\d\\d)` +
    `(?![\\d.,:/-]|\\s*(?:[€$£¥%]|${anyLanguage(({ calendar }) => calendar.money)}))`,
  'iu',
);

/** "From Monday to Friday" tells of every week. */
function isPeriod({ granularity }: Occurrence, words: string | undefined): boolean {
  return granularity !== 'day' || /\d/.test(words ?? '');
}

function untilOf(last: Occurrence, { date = '' }: Words): Instant {
  return last.granularity === 'day' || endWords.test(date) ? endOf(last) : last.at;
}

/** "Until the end of March". */
const ends = (among: readonly LanguageRules[]) =>
  anyLanguage(({ calendar }) => calendar.end, among);
const endWords = new RegExp(`^\\s*(?:${ends(spacedRules)})|(?:${ends(spacelessRules)})$`, 'iu');

const monthsOf = { month: 1, season: 3, year: 12 } as const;

function endOf({ at, granularity }: Occurrence): Instant {
  const date = new Date(at);
  if (granularity === 'minute') return at;
  if (granularity === 'day' || granularity === 'week') {
    date.setUTCDate(date.getUTCDate() + (granularity === 'day' ? 1 : 7));
  } else {
    date.setUTCMonth(date.getUTCMonth() + monthsOf[granularity], 1);
  }
  return date.toISOString();
}
