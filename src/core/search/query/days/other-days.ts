import { type Language, languages } from '../../../language/languages.ts';
import type { MatchGroups } from '../../../language/match-groups.ts';
import { askedBy } from './asked-of-days.ts';
import { singleDay } from './calendar.ts';
import { type DayWords, dayWords } from './day-words.ts';
import {
  aloneSource,
  calendarDate,
  type DatePattern,
  dayOfMonth,
  foldMarks,
  lastWeekday,
  nextWeekday,
  type OtherDays,
  relativeUnit,
  unitsAgo,
  weekdayNames,
} from './query-dates.ts';

/** Days as questions in other languages than English name them. */
export const otherDays: OtherDays = {
  patternsFor: (sure) => languagesOf(sure).flatMap((one) => one.patterns()),
  askedOfDays: (remainder, sure) => {
    const readings = languagesOf(sure).map(({ words }) => askedBy(remainder, words));
    return readings.find((reading) => reading !== null) ?? null;
  },
};

/** The languages that a question may be in: all languages of a script if none of them is sure. */
function languagesOf(sure: readonly Language[]): DayLanguage[] {
  return dayLanguages.filter(({ words: { language } }) => {
    if (language === null || sure.includes(language)) return true;
    const { script } = languages[language];
    return !sure.some((name) => languages[name].script === script);
  });
}

/** The patterns are compiled for the first question that may need them. */
type DayLanguage = { words: DayWords; patterns: () => readonly DatePattern[] };

const dayLanguages = dayWords.map((words): DayLanguage => {
  let compiled: readonly DatePattern[] | null = null;
  return {
    words,
    patterns: () => {
      compiled ??= compile(words);
      return compiled;
    },
  };
});

/** The most exact pattern first: what it has read is not read again. */
function compile(words: DayWords): DatePattern[] {
  const names = { numbers: entries(words.numbers), units: entries(words.units) };
  const entry = (template: string, read: DatePattern[1]): DatePattern => [
    patternOf(template, words),
    read,
  ];
  const steps = Object.entries(words.steps).map(([source, step]) =>
    entry(source, (_, today) => [singleDay(today + step)]),
  );
  const years = Object.entries(words.years ?? {}).map(([source, step]) =>
    entry(source, (_, today) => relativeUnit({ which: whichOf(step), unit: 'year' }, today)),
  );
  const ago = words.ago.map((template) =>
    entry(template, ({ n, unit }, today) => {
      const count = n === undefined ? '1' : /\d/.test(n) ? n : `${indexIn(names.numbers, n) + 1}`;
      return unitsAgo({ count, unit: unitNames[indexIn(names.units, unit)] }, today);
    }),
  );
  const near = (
    [
      [words.last, -1],
      [words.this, 0],
      [words.next, 1],
    ] as const
  ).map(([rel, step]) =>
    entry(beside(rel, '{unit}', words), ({ unit, unit2 = unit }, today) =>
      relativeUnit({ which: whichOf(step), unit: unitNames[indexIn(names.units, unit2)] }, today),
    ),
  );
  return [...steps, ...ago, ...datePatternsOf(words), ...weekdaysOf(words), ...near, ...years];
}

/** "3 March 2024", "March 2024", "in March", "on the 3rd". */
function datePatternsOf(words: DayWords): DatePattern[] {
  const { months, inMonth, alone, spaceless } = words;
  const entry = (template: string, read: DatePattern[1]): DatePattern => [
    patternOf(template, words),
    read,
  ];
  const lone =
    alone === undefined ? [] : [entry(`${alone}${spaceless ? '' : aloneSource}`, dayOfMonth)];
  if (months === undefined) {
    const dates = ['(?:{year}年)?{number}月{day}[日号號]', '{year}年{number}月', '{year}年'];
    return [...dates.map((template) => entry(template, calendarDate)), ...lone];
  }
  const monthNames = entries(months);
  const read: DatePattern[1] = ({ month, ...groups }: MatchGroups, today) =>
    calendarDate({ ...groups, number: `${indexIn(monthNames, month) + 1}` }, today);
  const year = '(?: (?:(?:de|del|do|года?) )?{year}(?: года?)?)';
  return [
    entry(`{day}(?:\\.|º|°|er|-го|-е)? ?(?:(?:de|di|d['’]) ?)?{month}\\.?,?${year}?`, read),
    entry(`{month}${year}`, read),
    entry(`(?:${inMonth}) {month}`, read),
    ...lone,
  ];
}

function weekdaysOf(words: DayWords): DatePattern[] {
  const weekdays = entries(words.weekdays);
  const englishNames = weekdayNames.split('|');
  const entry = (template: string, read: (groups: MatchGroups, today: number) => DayList) =>
    [
      patternOf(template, words),
      ({ weekday, weekday2 = weekday }: MatchGroups, today: number) =>
        read({ weekday: englishNames[indexIn(weekdays, weekday2)] }, today),
    ] as const;
  return [
    entry(beside(words.last, '{weekday}', words), (groups, today) => [lastWeekday(groups, today)]),
    entry(beside(words.next, '{weekday}', words), (groups, today) => [nextWeekday(groups, today)]),
    entry('{weekday}', (groups, today) => [nextWeekday(groups, today), lastWeekday(groups, today)]),
  ];
}

type DayList = ReturnType<DatePattern[1]>;

/** "Last Monday" and "lunes pasado". */
function beside(word: string, name: string, { spaceless }: DayWords): string {
  if (spaceless) return `(?:${word})${name}`;
  const nameAfter = name.replace('}', '2}');
  return `(?:(?:${word}) ?${name}|${nameAfter} (?:${word}))`;
}

function patternOf(template: string, { spaceless, ...words }: DayWords): RegExp {
  const sources: Record<string, string> = {
    n: `\\d{1,3}|${alternatives(words.numbers)}`,
    unit: alternatives(words.units),
    weekday: alternatives(words.weekdays),
    month: alternatives(words.months ?? '(?!)'),
    number: '1[0-2]|0?[1-9]',
    day: '3[01]|[12]\\d|0?[1-9]',
    year: '(?:19|20)\\d\\d',
  };
  const source = template.replace(/\{([a-z]+)(2?)\}/g, (_, name: string, again: string) => {
    return `(?<${name}${again}>${sources[name]})`;
  });
  const [before, after] = spaceless
    ? ['(?<!\\d)', '']
    : ['(?<![\\p{L}\\p{M}\\d])', '(?![\\p{L}\\p{M}\\d])'];
  return new RegExp(`${before}(?:${foldMarks(source)})${after}`, 'giu');
}

const unitNames = ['day', 'week', 'month', 'year', 'weekend'];

function whichOf(step: number): string {
  return step === 0 ? 'this' : step < 0 ? 'last' : 'next';
}

function entries(list: string): RegExp[] {
  return list.split(' ').map((source) => new RegExp(`^(?:${foldMarks(source)})$`, 'iu'));
}

function alternatives(list: string): string {
  return list.replaceAll(' ', '|');
}

function indexIn(list: readonly RegExp[], word = ''): number {
  return list.findIndex((one) => one.test(word));
}
