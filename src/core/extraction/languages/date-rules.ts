import { type CalendarWords, holidaysOf, listed, weekdaysOf } from './calendar-words.ts';
import { anyOf, anyWord, type DateRules, type DatingRules } from './rules.ts';

/** Sources of patterns; `alone` is what follows a number that is a day without its month. */
type DateWords = {
  calendar: CalendarWords;
  /** Words of a date that names no day. */
  dated: string;
  /** Before the date since which something is true, from which on it is, or until which. */
  since: string;
  starting: string;
  until: string;
  /** Before both dates of a range. */
  from: string;
  to: string;
  /** Weekdays so short that they are read only beside a day of a month. */
  shortWeekdays?: string;
  every: string;
  yearly: string;
  ordinal: string;
  of: string;
  alone: string;
  lead: string;
  on: string;
  between: string;
  /** Before the day to which something is moved; names of such days apart from dates. */
  movedTo: string;
  comingDays: string;
  /** Verbs of moving that come behind the day. */
  movedBehind?: string;
  /** Followed by the date for which it is. */
  arranged: string;
  beforeHour?: RegExp;
  /** With the date before it, or anywhere. */
  arrangedWhole?: string;
  /** Verbs of the present or future, apart from those of the calendar, that a date follows. */
  ahead?: string;
  calledOff: CalledOffWords;
  /** Before a day that no longer counts, as another follows: "not", "instead of". */
  not: string;
};

type CalledOffWords = {
  /** Before what is called off, and between that and its day. */
  the: string;
  of: string;
  /** Verbs before what is called off and its day, and behind both. */
  before: string;
  behind: string;
  /** Words of a cancellation: a date beside them is the day of the cancellation. */
  lasting: string;
};

/** The dot of "2. März" ends no sentence. */
const inDate = '(?:[^,;.!?()]|(?<=\\d)\\.(?= \\p{L}))';

/** In languages that write words apart, and such words before a date. */
export function dateRules(words: DateWords): DatingRules {
  const { calendar, since, starting, until } = words;
  const { months, seasons } = calendar;
  const names = [weekdaysOf(calendar), listed(months), holidaysOf(calendar), seasons];
  const leading = (one: string) =>
    new RegExp(
      `(?<![\\p{L}\\p{M}])(?:${one})(?:(?<=['’])|(?![\\p{L}\\p{M}])) ?(?<date>${inDate}{2,40})`,
      'iu',
    );
  const range =
    `(?<![\\p{L}\\p{M}])(?:${words.from}) ?(?<from>${inDate}{2,30}?) (?:${words.to}) ?` +
    `(?<until>${inDate}{2,30})`;
  return {
    calendar,
    dated: anyWord(words.dated, ...names),
    validity: {
      since: leading(since),
      starting: leading(starting),
      until: leading(until),
      range: new RegExp(range, 'iu'),
    },
    dates: dayRules(words),
  };
}

function dayRules({ calendar, on, ...words }: DateWords): DateRules {
  const { ordinal, of, alone, lead, between, every, shortWeekdays } = words;
  const months = listed(calendar.months);
  const weekdays = [listed(calendar.weekdays), ...(shortWeekdays ? [shortWeekdays] : [])].join('|');
  const day =
    `(?:\\d{1,2}${ordinal} ?(?:${of})?(?:${months})(?!\\p{L})|(?:${months})\\.? \\d{1,2}(?!\\d)|` +
    '\\d{4}-\\d\\d-\\d\\d|\\d{1,2}/\\d{1,2}(?!\\d)|\\d{1,2}[.-]\\d{1,2}(?:\\.(?!\\d)|[.-]\\d{2,4}))';
  const weekday = `(?:${weekdays})(?!\\p{L})`;
  const arrangedWhole = words.arrangedWhole === undefined ? '' : `|${words.arrangedWhole}`;
  return {
    moved: movedPattern(words, { calendar, day }),
    arranged: new RegExp(
      `(?<![\\p{L}\\p{M}])(?:${words.arranged})(?=[^.;!?]{0,80}[ (’'](?:${day}|\\d{1,2}${alone}|` +
        `\\d{1,2} ?[-–] ?\\d|(?:${months}|${weekdays})(?!\\p{L})))${arrangedWhole}`,
      'iu',
    ),
    ...(words.ahead !== undefined && { ahead: aheadPattern(words.ahead, calendar, day) }),
    calledOff: calledOffPattern(words.calledOff, calendar, day),
    superseded: new RegExp(
      `(?<![\\p{L}\\p{M}])(?:${words.not}) (?:\\p{L}{1,3}['’ ] ?){0,3}(?:${day}|${weekday})` +
        `(?!\\p{L})(?=[^.!?]{0,60}[ (’'](?:${day}|${weekday}))`,
      'iu',
    ),
    extended: new RegExp(`(?<![\\p{L}\\p{M}])(?:${calendar.extended})`, 'iu'),
    yearly: anyWord(
      words.yearly,
      `(?:${every}) ${anyOf(months, calendar.seasons, holidaysOf(calendar))}`,
    ),
    weekdayBefore: new RegExp(
      `(?<!\\p{L})(?:(?:${lead}) )?${weekday}\\.?,? (?:(?:${between}) )?(?=(?:d[ií]a )?(?:${day}|\\d{1,2}${alone}))`,
      'giu',
    ),
    on,
    ...(words.beforeHour !== undefined && { beforeHour: words.beforeHour }),
    weekdayAfter: new RegExp(
      `(?<date>${day})(?:,? (?:(?:a|an|einem|ein|un) )?${weekday}| ?\\(${weekday}\\.?\\))`,
      'giu',
    ),
  };
}

/** "Is on 8 May", "have to move out by 30 June". */
function aheadPattern(ahead: string, { present, reading }: CalendarWords, day: string): RegExp {
  const date = `(?:${day}|\\d{1,2}(?:st|nd|rd|th)(?!\\p{L}))`;
  const articles = `(?:(?:${reading.articles ?? '(?!)'}) ?){0,3}`;
  return new RegExp(
    `(?<![\\p{L}\\p{M}])(?:(?:${present})(?= ${articles}${date})|` +
      `(?:${ahead})(?= (?:[\\p{L}'’-]{1,20} ){0,7}(?:\\p{L}{1,6}['’])?${date}))`,
    'iu',
  );
}

/** "They cancelled my appointment on 24 March", "My appointment on 24 March was cancelled". */
function calledOffPattern(
  { the, of, before, behind, lasting }: CalledOffWords,
  { reading }: CalendarWords,
  day: string,
): RegExp {
  const word = `(?!(?:${lasting})|(?:${of}) )[\\p{L}'’-]{1,30} `;
  const what = `(?:${the}) (?:${word}){1,4}(?:${of})(?:(?<=['’ ])| )${day}`;
  return new RegExp(
    `(?<![\\p{L}\\p{M}])(?:(?:${before}) ${what}|` +
      `${what}[^,;!?]{0,30} (?:${behind})(?!\\p{L}))(?!.{0,40} (?:${reading.last ?? '(?!)'}))`,
    'iu',
  );
}

type MovedWords = Pick<DateWords, 'ordinal' | 'alone' | 'movedTo' | 'comingDays' | 'movedBehind'>;

/** "Moved to 17 December"; where the verb ends the clause, "auf den 17. Dezember verschoben". */
function movedPattern(
  { ordinal, alone, movedTo, comingDays, movedBehind }: MovedWords,
  { calendar, day }: { calendar: CalendarWords; day: string },
): RegExp {
  const names = `(?:${listed(calendar.months)}|${weekdaysOf(calendar)}|${comingDays})(?!\\p{L})`;
  const hour = '(?:\\d{1,2}(?:[:.h]\\d\\d| ?[ap]m| uhr)(?: \\p{L}{1,3})? )?';
  const from = `(?:\\d{1,2}${ordinal}(?:${calendar.to}))?`;
  const to =
    `(?<!\\p{L})(?:${movedTo})(?:(?<=['’])|(?!\\p{L})) ?(?:${hour}|${from})` +
    `(?=${day}|\\d{1,2}${alone}|${names})`;
  // "The visit on Monday" may be what is moved: the verb has no day behind it.
  const behind = `(?<![\\p{L}\\p{M}])(?=${to}.{0,60} (?:${movedBehind})(?!.{0,40} ${to}))`;
  return new RegExp(
    `(?:(?<![\\p{L}\\p{M}])(?:${calendar.moved}|${calendar.extended})[^;!?]{0,100}?` +
      `${movedBehind === undefined ? '' : `|${behind}`})(?<date>${to}.{0,200})`,
    'iu',
  );
}
