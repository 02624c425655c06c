import type { Language } from '../../language/languages.ts';

/**
 * How a language writes days and hours, as sources of patterns. Lists have a space between their
 * entries and `|` between the forms of one. In templates {names} stand for such words: `n`, `nth`,
 * `weekday`, `week`, `month`, `unit`, `day`, `holiday`, `hour`, `part`, `year`, `to`, `later`,
 * `ago`; with a 2 for the end of a period.
 */
export type CalendarWords = {
  /** From one on. */
  numbers: string;
  /** From first on; then what stands for the last. */
  ordinals: string;
  last: string;
  /** From Monday on. */
  weekdays: string;
  months: string;
  /** As alternatives. */
  seasons: string;
  /** Day, week, month, year. */
  units: string;
  /** The last week, this one, the next one and the one after it. */
  weeks: readonly [string, string, string, string];
  /** Between the two ends of a period. */
  to: string;
  /** Words for a day, and how many days it is after today. */
  steps: Readonly<Record<string, number>>;
  /** Days told by a weekday or a number: `later` is a week more, `ago` before today. */
  days: readonly string[];
  /** Periods of days. */
  periods: readonly string[];
  /** Holidays with a fixed date, by month and day. */
  holidays: Readonly<Record<string, string>>;
  /** Words before and after a holiday on which something takes place. */
  holiday: readonly string[];
  /** Verbs with which a day is told of something that has not been. */
  present: string;
  /** Times of day in words, and the minutes from the full hour (`hour`), or from midnight. */
  times: readonly (readonly [string, number])[];
  /** Parts of a day before noon, and after it. */
  before: string;
  after: string;
  /** Yearly events of one person or couple. */
  anniversaries: string;
  /**
   * Recurring days, which are not a single date: "every Friday", "Monday to Thursday".
   * The names in braces are `weekday` and `season`.
   */
  recurring: readonly string[];
  /** Beginnings of verbs with which something is moved from one day to another. */
  moved?: string;
  /** Beginnings of verbs with which something is given more time. */
  extended?: string;
  /** Spans that are not told exactly: "in a few days". */
  vague: string;
  /** Before two numbers with a stroke that are a date. */
  announcing?: string;
  /** Two numbers with a stroke that are not a date, whatever comes before them. */
  fractions?: string;
  /** Words after a number that show that it is not a year. */
  money?: string;
  /** Between clauses that may be of different times: "and", "but". */
  joints?: string;
  /** A date with such a word is one of many. */
  habits: string;
  /** The last part of a period: before its name, or behind it where no spaces are written. */
  end: string;
  /** Before the number of a year. */
  yearLead?: string;
  reading: ReadingWords;
};

export type NearUnit = 'day' | 'week' | 'month' | 'year';

/** Words by which what a parser of dates finds is judged, and dates are read that it misses. */
export type ReadingWords = {
  /** Words for the day or period before this one. */
  last?: string;
  /** Days and periods by how many of them they are away, where a parser does not know them. */
  near: Readonly<Partial<Record<NearUnit, Readonly<Record<number, string>>>>>;
  /** Before a month without a day, where a parser reads none alone; before a year, or after it. */
  beforeMonth?: string;
  /** Between a month or holiday and its year. */
  ofYear?: string;
  beforeYear?: string;
  afterYear?: string;
  /**
   * A day of a month that stands alone, with `{day}` for its number; `{uncounted}` is where nothing
   * follows that is counted, and `{month}` how names of months begin.
   */
  dayAlone: string;
  /** Words after a number that is not a day of the month. */
  counted?: string;
  /** Before an hour with an "h" and nothing else. */
  beforeHour?: string;
  /** With these a date is how long something lasts. */
  duration?: string;
  /** Names of days and months that mean something else in small letters. */
  otherWords?: string;
  /** Before the date of a past beginning, and before that of any; or after it. */
  since?: string;
  sinceAfter?: string;
  from?: string;
  fromAfter?: string;
  /** Before a date to come, apart from verbs in the present; and before one that is past. */
  coming?: string;
  perfect?: string;
  /** Words that may stand between such words and the date. */
  articles?: string;
  /** In a date, anywhere: what shows that a weekend, or days, weeks or months are told. */
  weekend?: string;
  ofDay: string;
  ofWeek: string;
  ofMonth: string;
  /** Behind the number of a day, apart from a dot or a space. */
  dayEnd?: string;
  /** With a weekday that is today; or within other words. */
  today?: string;
  todayWithin?: string;
};

/**
 * The last and the next week, month and year, by the names of these; in both templates `{}` stands
 * for a name.
 */
export function nearPeriods(
  [week, month, year]: readonly [week: string, month: string, year: string],
  { last, next }: { last: string; next: string },
): ReadingWords['near'] {
  const near = (name: string) => ({
    [-1]: last.replaceAll('{}', `(?:${name})`),
    1: next.replaceAll('{}', `(?:${name})`),
  });
  return { week: near(week), month: near(month), year: near(year) };
}

/**
 * How a language names seasons, as sources of patterns. In templates SEASON stands for one of the
 * four, YEAR for the digits of a year.
 */
export type SeasonWords = {
  /** Null where the writing tells the language. */
  language: Language | null;
  /** Spring, summer, autumn, winter. */
  seasons: readonly [string, string, string, string];
  year: readonly string[];
  lastYear: readonly string[];
  thisYear: readonly string[];
  nextYear: readonly string[];
  last: readonly string[];
  this: readonly string[];
  next: readonly string[];
  /** "In the summer": of which year, only the tense tells. */
  any: readonly string[];
  /** What must be true of the place where a season is named: the same letters mean other things. */
  where?: string;
  /** In texts of this language the same letters mean other things: "in estate planning". */
  unlike?: Language;
  /** Written without spaces, so that words have no borders. */
  spaceless?: boolean;
};

/** The entries of a list, as alternatives of a pattern. */
export function listed(names: string): string {
  return names.replaceAll(' ', '|');
}

/** Up to seven of them: "Mondays and Thursdays", "lundi, mercredi et vendredi". */
export function listOf(day: string, and: string): string {
  return `${day}(?:(?:, ?| (?:${and}) |, (?:${and}) )${day}){0,6}`;
}

/** The names of all holidays, as the source of a pattern. */
export function holidaysOf({ holidays }: CalendarWords): string {
  return Object.values(holidays).join('|');
}

/** Weekdays that are nothing else, in languages that write words apart: "sat" and "mon" are. */
export function weekdaysOf({ weekdays }: CalendarWords): string {
  return `(?=[\\p{L}-]{5})(?:${listed(weekdays)})`;
}
