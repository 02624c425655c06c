import { dayMs, isoDayOf } from '../../../contract/wall-clock.ts';
import type { Instant } from '../../ports/index.ts';
import { byLanguage, type RuleLanguage } from '../languages/all-languages.ts';
import type { CalendarWords } from '../languages/calendar-words.ts';

type CalendarContext = {
  said_at: Instant;
  tense: 'past' | 'future' | null;
  isRecurring?: boolean;
};

/** Both days belong to it. */
type DayPeriod = { from: Date; last: Date };

/**
 * A text in which days and hours that are told in words stand in figures, as every reader knows
 * them: "Wednesday next week", "Christmas Eve", "half past three". Of a period it is the first day.
 */
export function withPlainDates(
  text: string,
  language: RuleLanguage,
  context: CalendarContext,
): string {
  const { days, periods, times, before, after, names } = calendars[language];
  let plain = text;
  for (const [pattern, read] of [...periods, ...days]) {
    plain = plain.replace(pattern, (...match) => {
      const [all, groups] = [String(match[0]), match.at(-1) as CalendarGroups];
      const day = read(groups, context);
      const from = day !== null && 'from' in day ? day.from : day;
      if (from === null) return all;
      return all.replace(groups?.holiday ?? all, isoDayOf(from.toISOString()));
    });
  }
  for (const [pattern, minutes] of times) {
    plain = plain.replace(pattern, (...match) => {
      const { hour, hourth, part = text } = match.at(-1) as CalendarGroups;
      const of = hour === undefined ? indexIn(names.ordinals, hourth) : numberOf(hour, names);
      return clock(of + 1, { minutes, isMorning: before.test(part), isLater: after.test(part) });
    });
  }
  return plain;
}

/** The first period of days in a text: "from 3 to 9 May". */
export function readDayPeriod(
  text: string,
  language: RuleLanguage,
  context: CalendarContext,
): DayPeriod | null {
  for (const [pattern, read] of calendars[language].periods) {
    const [match] = text.matchAll(pattern);
    const period = match && read(match.groups ?? {}, context);
    if (period) return period;
  }
  return null;
}

type CalendarGroups = Partial<Record<string, string>>;
type CalendarReading<Found> = readonly [
  RegExp,
  (groups: CalendarGroups, context: CalendarContext) => Found | null,
];
/** The entries of each list, to tell which one a word is. */
type CalendarNames = Record<
  'numbers' | 'ordinals' | 'weekdays' | 'months' | 'units' | 'weeks',
  readonly RegExp[]
>;
type Calendar = {
  names: CalendarNames;
  days: CalendarReading<Date>[];
  periods: CalendarReading<DayPeriod>[];
  times: (readonly [RegExp, number])[];
  before: RegExp;
  after: RegExp;
};

const calendars = byLanguage(({ calendar }) => readCalendar(calendar));

function readCalendar(words: CalendarWords): Calendar {
  const names = namesOf(words);
  const days = words.days.map(
    (template): CalendarReading<Date> => [
      patternOf(template, words),
      (groups, context) => dayOf(groups, { names, context }),
    ],
  );
  return {
    names,
    days: [...stepsOf(words), ...days, ...holidaysIn(words)],
    periods: words.periods.map((template) => [
      patternOf(template, words),
      (groups, context) => periodOf(groups, { names, context }),
    ]),
    times: words.times.map(([template, minutes]) => [
      patternOf(`(?:${template})(?:,? {part})?`, words),
      minutes,
    ]),
    before: new RegExp(words.before, 'iu'),
    after: new RegExp(words.after, 'iu'),
  };
}

function namesOf(words: CalendarWords): CalendarNames {
  const each = (sources: readonly string[]) =>
    sources.map((source) => new RegExp(`^(?:${source})$`, 'iu'));
  const { numbers, ordinals, weekdays, months, units, weeks } = words;
  return {
    numbers: each(numbers.split(' ')),
    ordinals: each(ordinals.split(' ')),
    weekdays: each(weekdays.split(' ')),
    months: each(months.split(' ')),
    units: each(units.split(' ')),
    weeks: each(weeks),
  };
}

function stepsOf(words: CalendarWords): CalendarReading<Date>[] {
  return Object.entries(words.steps).map(([source, step]) => [
    patternOf(source, words),
    (_, { said_at }) => addDays(startOfDay(said_at), step),
  ]);
}

/** Each holiday is a group of the pattern, named by its month and day, such as `on1225`. */
function holidaysIn(words: CalendarWords): CalendarReading<Date>[] {
  const each = Object.entries(words.holidays).map(
    ([date, names]) => `(?<on${date.replace('-', '')}>${names})`,
  );
  const ofYear = words.reading.ofYear ?? '(?!)';
  const group = `(?<holiday>(?:${each.join('|')})(?:,? (?:(?:${ofYear}) )?(?<year>(?:19|20)\\d\\d))?)`;
  return words.holiday.map((template) => [
    patternOf(template.replace('{holiday}', group), words),
    (groups, context) => {
      const [on] = Object.keys(groups).filter((name) => /^on\d/.test(name) && groups[name]);
      if (on === undefined || context.isRecurring) return null;
      const [month, day] = [Number(on.slice(2, 4)) - 1, Number(on.slice(4))];
      return inYear((year) => dayInMonth(year, month, day), { year: groups.year, context });
    },
  ]);
}

function patternOf(template: string, words: CalendarWords): RegExp {
  const source = template.replace(/\{([a-z]+)(2?)\}/g, (_, name: string, end: string) =>
    sourceOf(name, { end, words }),
  );
  return new RegExp(
    `(?<![\\p{Ll}\\p{Lu}\\p{M}\\d-])(?:${source})(?![\\p{Ll}\\p{Lu}\\p{M}\\d])`,
    'giu',
  );
}

/** The source of a name in braces, as a group of that name. */
function sourceOf(name: string, { end, words }: { end: string; words: CalendarWords }): string {
  const anyOf = (list: string) => list.replaceAll(' ', '|');
  const number = anyOf(words.numbers);
  const sources: CalendarGroups = {
    n: `\\d{1,3}|${number}`,
    nth: `${anyOf(words.ordinals)}|${words.last}`,
    weekday: anyOf(words.weekdays),
    week: words.weeks.join('|'),
    month: anyOf(words.months),
    monthn: '\\d{1,2}',
    unit: anyOf(words.units),
    day: '\\d{1,2}',
    year: '(?:19|20)\\d\\d',
    hour: `\\d{1,2}|${number}`,
    hourw: number,
    hourth: anyOf(words.ordinals),
    part: `${words.before}|${words.after}`,
    later: '',
    ago: '',
  };
  if (name === 'to') return `(?:${words.to})`;
  return `(?<${name.replace(/(?<=month)n$|(?<=hour)w$/u, '')}${end}>${sources[name]})`;
}

type CalendarReckoning = { names: CalendarNames; context: CalendarContext };

/** The groups are those of a template in `days`. */
function dayOf(groups: CalendarGroups, { names, context }: CalendarReckoning): Date | null {
  const { weekday, week, day, month, year, nth, n, unit, later, ago } = groups;
  const today = startOfDay(context.said_at);
  const ofWeek = indexIn(names.weekdays, weekday);
  if (nth !== undefined) {
    const which = indexIn(names.ordinals, nth);
    const at = { month: monthOf(month, names), weekday: ofWeek, which };
    return inYear((of) => nthWeekday(of, at), { year, context });
  }
  if (day !== undefined)
    return inYear((of) => dayInMonth(of, monthOf(month, names), Number(day)), { year, context });
  const weekdayFrom = (from: Date) => addDays(from, (ofWeek - weekdayOf(from) + 7) % 7);
  if (week !== undefined) {
    const steps = indexIn(names.weeks, week) - 1;
    return weekdayFrom(addDays(today, 7 * steps - weekdayOf(today)));
  }
  const from = weekday === undefined ? today : weekdayFrom(addDays(today, 1));
  if (later !== undefined) return addDays(from, 7);
  if (unit === undefined) return from;
  const days = [1, 7][indexIn(names.units, unit)];
  // "In two weeks I had saved enough" tells no day, nor does a number of months.
  if (days === undefined || (context.tense === 'past') !== (ago !== undefined)) return null;
  const count = n === undefined ? 1 : numberOf(n, names) + 1;
  return addDays(from, (ago === undefined ? 1 : -1) * days * count);
}

function periodOf(groups: CalendarGroups, { names, context }: CalendarReckoning): DayPeriod | null {
  const { day, day2, year } = groups;
  const month2 = monthOf(groups.month2 ?? groups.month, names);
  const month = groups.month === undefined ? month2 : monthOf(groups.month, names);
  const last = inYear((of) => dayInMonth(of, month2, Number(day2)), { year, context });
  const ofYear = last === null ? 0 : last.getUTCFullYear();
  const from = dayInMonth(ofYear, month, Number(day));
  if (last === null || from === null) return null;
  const before = from < last ? from : dayInMonth(ofYear - 1, month, Number(day));
  return before === null || (month === month2 && before !== from) ? null : { from: before, last };
}

type YearChoice = { year: string | undefined; context: CalendarContext };

/** A day of a year that is named, or of the last or next that has it. */
function inYear(dayIn: (year: number) => Date | null, { year, context }: YearChoice): Date | null {
  if (year !== undefined) return dayIn(Number(year));
  const today = startOfDay(context.said_at);
  const of = today.getUTCFullYear();
  const days = [of - 1, of, of + 1].flatMap((one) => dayIn(one) ?? []);
  const isPast = context.tense === 'past';
  return (isPast ? days.findLast((day) => day <= today) : days.find((day) => day >= today)) ?? null;
}

/** Null for February 30. */
function dayInMonth(year: number, month: number, day: number): Date | null {
  const at = new Date(Date.UTC(year, month, day));
  return at.getUTCMonth() === month && day > 0 ? at : null;
}

/** `which` counts from 0; the last one is -1. */
function nthWeekday(
  year: number,
  { month, weekday, which }: { month: number; weekday: number; which: number },
): Date | null {
  const first = new Date(Date.UTC(year, which < 0 ? month + 1 : month, which < 0 ? -6 : 1));
  const day = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * Math.max(which, 0));
  return day.getUTCMonth() === month ? day : null;
}

function clock(
  hour: number,
  { minutes, isMorning, isLater }: { minutes: number; isMorning: boolean; isLater: boolean },
): string {
  // "At half past three": few meet at night.
  const isAfternoon = hour > 0 && (isLater ? hour < 12 : !isMorning && hour < 7);
  const of = ((isAfternoon ? hour + 12 : hour) * 60 + minutes + 1440) % 1440;
  return [Math.floor(of / 60), of % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

function startOfDay(said_at: string): Date {
  return new Date(`${isoDayOf(said_at)}T00:00:00.000Z`);
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getTime() + days * dayMs);
}

/** Monday is 0. */
function weekdayOf(day: Date): number {
  return (day.getUTCDay() + 6) % 7;
}

function monthOf(word: string | undefined, { months }: CalendarNames): number {
  return /^\d+$/.test(word ?? '') ? Number(word) - 1 : indexIn(months, word);
}

/** One less than the number. */
function numberOf(word: string, { numbers }: CalendarNames): number {
  return /^\d+$/.test(word) ? Number(word) - 1 : indexIn(numbers, word);
}

/** The index of the word in a list; -1 if it is not there. */
function indexIn(list: readonly RegExp[], word = ''): number {
  return list.findIndex((one) => one.test(word));
}
