import type { Occurrence } from '../../ports/index.ts';
import { allRules, anyLanguage } from '../languages/all-languages.ts';
import type { Tense } from './tense.ts';

/**
 * "On the 28th": in the past tense the latest such day up to today, else the next one. Null if no
 * day of a month stands alone in the text.
 */
export function readDayOfMonth(
  text: string,
  { said_at, tense }: { said_at: string; tense: Tense },
): Occurrence | null {
  const groups = dayPatterns.map((pattern) => pattern.exec(text)?.groups).find(Boolean);
  const day = Number(groups?.day ?? 0);
  if (day < 1 || day > 31) return null;
  const now = new Date(said_at);
  const [year, month, today] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const isPast = tense === 'past';
  const isThisMonth = isPast ? day <= today : day >= today;
  const step = isPast ? -1 : 1;
  // A month that has no such day is passed over; no two such months follow one another.
  for (const away of isThisMonth ? [0, 1, 2] : [1, 2]) {
    const at = new Date(Date.UTC(year, month + away * step, day));
    if (at.getUTCDate() === day) return { at: at.toISOString(), granularity: 'day' };
  }
  return null;
}

/** How names of months begin in any language, which short forms are. */
const monthStarts = anyLanguage(({ calendar: { months } }) =>
  months
    .split(' ')
    .flatMap((name) => /^\p{L}{3}/u.exec(name) ?? [])
    .join('|'),
);

/** Words after a number that is not a day; languages share articles such as "le" and "al". */
const counted =
  `(?!\\d)(?! ?(?:[.,:/]?\\d|[%º°€$x]|${monthStarts}|` +
  `${anyLanguage(({ calendar }) => calendar.reading.counted)}))`;

const dayPatterns = allRules.map(({ calendar, isSpaceless }) => {
  const source = calendar.reading.dayAlone
    .replace('{day}', '(?<day>\\d{1,2})')
    .replace('{month}', `(?:${monthStarts})`)
    .replace('{uncounted}', counted);
  return new RegExp(isSpaceless ? source : `(?<!\\p{L})(?:${source})`, 'iu');
});
