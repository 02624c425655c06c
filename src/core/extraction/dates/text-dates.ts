import { toWallClock } from '../../../contract/wall-clock.ts';
import type { DateReader, Instant, Occurrence, VerbatimDater } from '../../ports/index.ts';
import { detectRuleLanguages, type RuleLanguage, rulesOf } from '../languages/all-languages.ts';
import { memoryTypeOf } from '../memory-type.ts';
import { withPlainDates } from './calendar.ts';
import { movedTo } from './moved-days.ts';
import { occurrenceInZone } from './occurrence-in-zone.ts';
import { readNamedDate } from './parsed-dates.ts';
import { findSeasonDate } from './season-dates.ts';
import { withSingleDays } from './single-days.ts';
import { type Tense, tenseOf } from './tense.ts';
import { withoutUndated } from './undated.ts';

export type DatedText = { said_at: Instant; tense: Tense; language: RuleLanguage };

export type TextDater = (said: string, about: DatedText) => Promise<Occurrence | null>;

/** Finds the date or season that a text names; null without one. */
export function createTextDater(dates: DateReader): TextDater {
  return async (said, about) => {
    const rules = rulesOf(about.language);
    const words = said
      .slice(0, readMaxOf(said))
      .replace(dottedPattern, isoOfDotted)
      .replace(rules.dates.superseded, ' ');
    const moved = movedTo(words, rules);
    const tense = moved === null ? about.tense : 'future';
    const start = withSingleDays(moved ?? words, rules);
    const { seasonOf, rest } = findSeasonDate(start, { ...about, tense });
    const { rest: dated, isRecurring } = withoutUndated(rest);
    const context = { ...about, tense, isRecurring };
    const plain = withPlainDates(dated, about.language, context);
    const date = await readNamedDate(plain, context, dates);
    if (date !== null && date.granularity !== 'year') return date;
    // "In 2024 we spent the last summer there": the season is more exact than the year.
    const season = seasonOf(date === null ? null : new Date(date.at).getUTCFullYear());
    return season ?? date;
  };
}

/** With dots the day comes first in any language: "on 12.04.2026". */
const dottedPattern =
  /(?<![\d.])(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d(?!\d)/gu;

function isoOfDotted(date: string): string {
  const parts = date.split('.').map((part) => part.padStart(2, '0'));
  return parts.reverse().join('-');
}

/**
 * What says when stands near the start, and a text that is full of dates takes long to read: in a
 * row of numerals without spaces each may begin one, and the time grows with the square of it.
 */
function readMaxOf(said: string): number {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(said) ? 300 : 1000;
}

/** The date that a text names which is stored as it is. Longer texts are about more than a day. */
export function createVerbatimDater(dates: DateReader): VerbatimDater {
  const readDate = createTextDater(dates);
  return async (text, { said_at, timezone }) => {
    if (text.length > datedMaxChars) return null;
    const local = toWallClock(said_at, timezone);
    let occurrence: Occurrence | null = null;
    for (const language of detectRuleLanguages(text)) {
      const rules = rulesOf(language);
      if (!rules.dated.test(text)) continue;
      const tense = tenseOf(text, memoryTypeOf(text, rules), rules);
      const date = await readDate(text, { said_at: local, tense, language });
      // Read in another language, "11 de janeiro" is a month.
      if (occurrence === null || isOfDay(date)) occurrence = date;
      if (isOfDay(occurrence)) break;
    }
    return occurrence && occurrenceInZone(occurrence, timezone);
  };
}

function isOfDay(date: Occurrence | null): boolean {
  return date?.granularity === 'day' || date?.granularity === 'minute';
}

const datedMaxChars = 500;
