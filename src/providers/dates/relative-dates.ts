import type { Granularity } from '../../contract/schemas/memory.ts';
import type { Occurrence } from '../../core/ports/index.ts';

type RelativeDateContext = { said_at: string; tense: 'past' | 'future' | null };
type RelativeUnit = Extract<Granularity, 'day' | 'week' | 'month' | 'year'>;

/** Dates that chrono does not know in every language: "last week", a month by name, a year. */
export function readRelativeDate(text: string, about: RelativeDateContext): Occurrence | null {
  for (const [pattern, unit, step] of relativePatterns) {
    if (pattern.test(text)) return stepDate(about.said_at, unit, step);
  }
  return readMonth(text, about) ?? readYear(text);
}

function wholeWord(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${source})(?![\\p{L}\\p{M}])`, 'iu');
}

/** Words for "last" and "next", before or after the unit. */
const lastWords = 'letzten?[mrs]?|vorigen?[mrs]?|vergangenen?[mrs]?|прошл(?:ая|ой|ую|ом|ый|ого)';
const nextWords = 'nächsten?[mrs]?|kommenden?[mrs]?|следующ(?:ая|ей|ую|ем|ий|его)|будущ(?:ем|ей)';
const lastWordsAfter = 'derni(?:er|ère)|pasad[oa]|scors[oa]|passat[oa]|passad[oa]';
const nextWordsAfter = 'prochaine?|próxim[oa]|prossim[oa]|que viene|que vem';
const unitWords: readonly (readonly [RelativeUnit, string])[] = [
  ['week', 'woche|semaine|semana|settimana|недел(?:я|е|ю|и)'],
  ['month', 'monats?|mois|mes|mese|mês|месяц(?:а|е)?'],
  ['year', 'jahre?s?|an|année|año|anno|ano|год(?:у|а)?'],
];

const relativePatterns: readonly (readonly [RegExp, RelativeUnit, number])[] = [
  [/一昨日|おととい|前天/u, 'day', -2],
  [/昨日|昨夜|昨晩|昨天|昨晚/u, 'day', -1],
  [/明後日|あさって|后天/u, 'day', 2],
  [/明日|明天/u, 'day', 1],
  [/先週|上周|上个?星期(?![一二三四五六日天])/u, 'week', -1],
  [/来週|下周(?![一二三四五六日天])|下个?星期(?![一二三四五六日天])/u, 'week', 1],
  [/先月|上个?月/u, 'month', -1],
  [/来月|下个?月/u, 'month', 1],
  [/去年(?!的?[春夏秋冬])|昨年(?!の?[春夏秋冬])/u, 'year', -1],
  [/来年(?!の?[春夏秋冬])|明年(?!的?[春夏秋冬])/u, 'year', 1],
  ...unitWords.flatMap(([unit, names]): (readonly [RegExp, RelativeUnit, number])[] => [
    [wholeWord(`(?:${lastWords}) (?:${names})|(?:${names}) (?:${lastWordsAfter})`), unit, -1],
    [wholeWord(`(?:${nextWords}) (?:${names})|(?:${names}) (?:${nextWordsAfter})`), unit, 1],
    [wholeWord(`(?:pasad[oa]|passad[oa]|scors[oa]) (?:${names})`), unit, -1],
    [wholeWord(`(?:próxim[oa]|prossim[oa]|prochaine?) (?:${names})`), unit, 1],
  ]),
];

function stepDate(said_at: string, unit: RelativeUnit, step: number): Occurrence {
  const now = new Date(said_at);
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const monday = day - ((now.getUTCDay() + 6) % 7);
  const at = {
    day: Date.UTC(year, month, day + step),
    week: Date.UTC(year, month, monday + 7 * step),
    month: Date.UTC(year, month + step, 1),
    year: Date.UTC(year + step, 0, 1),
  }[unit];
  return { at: new Date(at).toISOString(), granularity: unit };
}

const wordsBeforeMonth =
  "im|en|em|a|in|в|de|de l|d'|seit|ab|bis|depuis|dès|desde|hasta|da|fino a|até|с|со|до";

/** Names of months, which chrono reads only together with a day. */
const monthPatterns = [
  'januar|janvier|enero|gennaio|janeiro|январ[яьею]',
  'februar|février|febrero|febbraio|fevereiro|феврал[яьею]',
  'märz|mars|marzo|março|март(?:а|е)?',
  'april|avril|abril|aprile|апрел[яьею]',
  'mai|mayo|maggio|maio|ма(?:я|е|й)',
  'juni|juin|junio|giugno|junho|июн[яьею]',
  'juli|juillet|julio|luglio|julho|июл[яьею]',
  'august|août|agosto|август(?:а|е)?',
  'september|septembre|septiembre|settembre|setembro|сентябр[яьею]',
  'oktober|octobre|octubre|ottobre|outubro|октябр[яьею]',
  'november|novembre|noviembre|novembro|ноябр[яьею]',
  'dezember|décembre|diciembre|dicembre|dezembro|декабр[яьею]',
].map((names) => {
  const led = `(?:${wordsBeforeMonth}) ?(?:${names})(?:[^\\p{L}]|$)`;
  const ofYear = `(?:${names})(?: d[eio])? (?:19|20)\\d\\d(?!\\d)`;
  return new RegExp(`(?:^|[^\\p{L}])(?:${led}|${ofYear})`, 'iu');
});

function readMonth(text: string, { said_at, tense }: RelativeDateContext): Occurrence | null {
  const month = monthPatterns.findIndex((pattern) => pattern.test(text));
  if (month < 0) return null;
  const now = new Date(said_at);
  const named = /(?:19|20)\d\d/.exec(text)?.[0];
  let year = named === undefined ? now.getUTCFullYear() : Number(named);
  if (named === undefined && tense === 'past' && month > now.getUTCMonth()) year -= 1;
  if (named === undefined && tense === 'future' && month < now.getUTCMonth()) year += 1;
  return { at: new Date(Date.UTC(year, month, 1)).toISOString(), granularity: 'month' };
}

const yearPattern = new RegExp(
  '(?:^|[^\\p{L}\\d])(?:in|since|im jahr|seit|depuis|desde|dal|en|' +
    'nel|em|в|с|during)\\s+(?<year>(?:19|20)\\d\\d)(?![\\d-])',
  'iu',
);
const cjkYearPattern = /(?<year>(?:19|20)\d\d)年(?!\d)/u;

function readYear(text: string): Occurrence | null {
  const found = yearPattern.exec(text) ?? cjkYearPattern.exec(text);
  const year = found?.groups?.year;
  return year === undefined ? null : { at: `${year}-01-01T00:00:00.000Z`, granularity: 'year' };
}

export const lastWordPattern = wholeWord(`last|past|previous|${lastWords}|${lastWordsAfter}`);
