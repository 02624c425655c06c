import { anyLanguage, spacedRules, spacelessRules } from '../languages/all-languages.ts';
import type { LanguageRules } from '../languages/rules.ts';

/**
 * A text without what looks like a date and names no single day: what recurs ("every Friday",
 * "Tuesday evenings", "Monday to Thursday"), vague spans ("in a few days") and fractions ("3/8
 * cup"). Spaces stand for it, so that the rest keeps its place.
 */
export function withoutUndated(text: string): { rest: string; isRecurring: boolean } {
  const blank = (found: string) => ' '.repeat(found.length);
  const once = text.replace(recurringPattern, blank);
  const rest = once.replace(vaguePattern, blank).replace(ratioPattern, blank);
  return { rest, isRecurring: once !== text || habitPattern.test(text) };
}

function wholeWords(sources: readonly string[]): string {
  return `(?<!\\p{L})(?:${sources.join('|')})(?!\\p{L})`;
}

const weekdays = {
  en: '(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|sat|satur|sun)(?:day)?',
  de: '(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)',
  fr: '(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)',
  es: '(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)',
  it: '(?:lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)',
  pt: '(?:(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo)',
  ru: '(?:понедельник[ау]?|вторник[ау]?|сред[ауые]|четверг[ау]?|пятниц[аыу]|суббот[аыу]|воскресень[еяю])',
} as const;

const periods = {
  en: 'day|night|evening|morning|afternoon|weekday|weekend|week|fortnight|month|quarter|year|spring|summer|autumn|fall|winter',
  de: 'tage?|nacht|abend|morgen|werktag|woche|wochen|wochenende|monate?|quartal|jahre?|frühling|sommer|herbst|winter',
  fr: 'jours?|nuits?|soirs?|matins?|semaines?|week-ends?|mois|trimestres?|ans?|années?|printemps|étés?|automnes?|hivers?',
  es: 'días?|noches?|tardes?|mañanas?|semanas?|fin(?:es)? de semana|mes(?:es)?|trimestres?|años?|primaveras?|veranos?|otoños?|inviernos?',
  it: 'giorn[oi]|nott[ei]|ser[ae]|mattin[ae]|settiman[ae]|fine settimana|weekend|mes[ei]|trimestr[ei]|ann[oi]|primaver[ae]|estat[ei]|autunn[oi]|invern[oi]',
  pt: 'dias?|noites?|tardes?|manhãs?|semanas?|fi(?:m|ns) de semana|m[eê]s(?:es)?|trimestres?|anos?|primaveras?|verões|verão|outonos?|invernos?',
  ru: 'день|дни|ночь|вечер|утро|недел[юяи]|выходные|месяц[аы]?|квартал|год[аы]?|весну|лето|осень|зиму',
} as const;

/** Before a range: "moved from Tuesday to Friday" names two single days. */
export const notMoved =
  '(?<!(?<!\\p{L})(?:mov|chang|switch|shift|push|postpon|resched|verschob|verleg|déplac|report|' +
  'décal|cambi|aplaz|spost|rimand|rinvi|mud|adi|перен)\\p{L}*(?: \\p{L}+){0,2} )';

/** Up to seven weekdays in a list: "Mondays and Thursdays", "lundi, mercredi et vendredi". */
function listOf(day: string, and: string): string {
  return `${day}(?:(?:, ?| (?:${and}) |, (?:${and}) )${day}){0,6}`;
}

const recurring = [
  wholeWords([
    `(?:every|each|most) (?:other |second |third |single |\\d(?:nd|rd|th)? |two |three )?${listOf(`(?:${weekdays.en}|${periods.en})s?`, 'and|or')}(?: (?:night|evening|morning|afternoon)s?)?`,
    `(?:on )?${listOf('(?:mon|tues|wednes|thurs|fri|satur|sun)days', 'and|or|&')}(?: (?:night|evening|morning|afternoon)s?)?`,
    `(?:on )?${listOf(weekdays.en, 'and|or|&')} (?:night|evening|morning|afternoon)s`,
    `${notMoved}(?:(?:from|between) )?${weekdays.en}(?: (?:to|through|thru|till|until|and) | ?[-–] ?)${weekdays.en}`,
    'on (?:weekdays|weekends|workdays|school days)|weekdays|weekends',
    `(?:the )?(?:first|second|third|fourth|last) (?:${weekdays.en}|day) (?:of|in) (?:the|every|each) (?:month|quarter|year)`,
    `(?:weekly|biweekly|monthly|yearly|annually|quarterly) on (?:the )?(?:${weekdays.en}s?|\\d{1,2}(?:st|nd|rd|th)?)`,
    '(?:the )?\\d{1,2}(?:st|nd|rd|th) (?:of|in) (?:the|every|each) month',
  ]),
  wholeWords([
    `jede[nrsm]? (?:zweite[nrsm]? |dritte[nrsm]? |ersten? |letzten? )?${listOf(`(?:${weekdays.de}|${periods.de})`, 'und|oder')}(?:abend|morgen|nachmittag)?`,
    `${listOf(`${weekdays.de}(?:abend|morgen|nachmittag|vormittag)?s`, 'und|oder')}(?: (?:abends|morgens|nachmittags|vormittags))?`,
    `${weekdays.de} (?:abends|morgens|nachmittags|vormittags|nachts)`,
    `(?:immer|meistens|stets) (?:am )?${listOf(weekdays.de, 'und|oder')}`,
    `${notMoved}(?:von )?${weekdays.de}(?: bis | ?[-–] ?)${weekdays.de}`,
    `alle (?:\\p{L}+ |\\d+ )?(?:${periods.de})n?|an (?:wochentagen|werktagen|wochenenden)|werktags|wochentags`,
  ]),
  wholeWords([
    `(?:chaque|tou(?:te)?s les) (?:premiers? |deuxièmes? |deux |trois )?${listOf(`(?:${weekdays.fr}s?|${periods.fr})`, 'et|ou')}(?: (?:soirs?|matins?|midis?|après-midis?))?`,
    `les ${listOf(`(?:les )?${weekdays.fr}s?`, 'et|ou')}(?: (?:soirs?|matins?|midis?|après-midis?))?`,
    `le ${listOf(`(?:le )?${weekdays.fr}`, 'et|ou')}(?: (?:soir|matin|midi|après-midi))?(?! (?:\\d|prochain|dernier|suivant|passé|de la semaine))`,
    `${notMoved}(?:du )?${weekdays.fr}(?: (?:au|à) | ?[-–] ?)${weekdays.fr}|en semaine`,
  ]),
  wholeWords([
    `(?:cada|tod[oa]s l[oa]s) (?:dos |tres |primer |último )?${listOf(`(?:${weekdays.es}s?|${periods.es})`, 'y|o')}(?: por la (?:noche|mañana|tarde))?`,
    `los ${listOf(`(?:los )?(?:${weekdays.es}s?|fines de semana)`, 'y|o')}(?: por la (?:noche|mañana|tarde))?`,
    `${notMoved}(?:de )?${weekdays.es}(?: a | ?[-–] ?)${weekdays.es}|entre semana`,
  ]),
  wholeWords([
    `(?:ogni|tutt[ie] (?:i|le|gli)) (?:due |tre |primo |ultimo )?${listOf(`(?:${weekdays.it}|${periods.it}|sabati|domeniche)`, 'e|o')}(?: (?:sera|mattina|pomeriggio))?`,
    `(?:il|la) ${listOf(`(?:il |la )?${weekdays.it}`, 'e|o')}(?: (?:sera|mattina|pomeriggio))?(?! (?:\\d|prossim|scors|dopo))`,
    `${notMoved}(?:da |dal )?${weekdays.it}(?: (?:a|al) | ?[-–] ?)${weekdays.it}|nei (?:giorni feriali|fine settimana|weekend)`,
  ]),
  wholeWords([
    `(?:cada|tod[oa]s?(?: (?:[oa]s?))?) (?:duas |dois |três |primeir[oa] |últim[oa] )?${listOf(`(?:${weekdays.pt}s?|${periods.pt}|segundas|terças|quartas|quintas|sextas)(?:-feiras)?`, 'e|ou')}(?: (?:à|de) (?:noite|manhã|tarde))?`,
    `(?:às|aos|nas|nos) ${listOf(`(?:às |aos )?(?:(?:segundas|terças|quartas|quintas|sextas)(?:-feiras)?|sábados|domingos|fins de semana)`, 'e|ou')}(?: (?:à|de) (?:noite|manhã|tarde))?`,
    `${notMoved}(?:de )?${weekdays.pt}(?: (?:a|à) | ?[-–] ?)${weekdays.pt}`,
  ]),
  wholeWords([
    `кажд(?:ый|ую|ое|ые) (?:втор(?:ой|ую) |перв(?:ый|ую) |последн(?:ий|юю) |две |два |три )?${listOf(`(?:${weekdays.ru}|${periods.ru})`, 'и|или')}(?: (?:вечером|утром|днём|днем))?`,
    'по (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям|выходным|будням|вечерам|утрам|ночам)(?:(?:,| и| или)(?: по)? (?:понедельникам|вторникам|средам|четвергам|пятницам|субботам|воскресеньям)){0,6}',
    `${notMoved}с ${weekdays.ru} (?:по|до) ${weekdays.ru}|раз в (?:${periods.ru})`,
  ]),
  '毎(?:週|日|朝|晩|月|年|回|(?:春|夏|秋|冬))(?:の?[月火水木金土日](?:曜日?)?(?:[、と・や][月火水木金土日](?:曜日?)?){0,6})?(?:\\d{1,2}日)?',
  '[月火水木金土日]曜日?(?:から|〜|～|と|・|、)[月火水木金土日]曜日?|平日|隔週(?:の?[月火水木金土日]曜日?)?',
  '每(?:个|隔)?(?:逢)?(?:周|星期|礼拜|天|日|月|年|晚|早)(?:[一二三四五六日天末](?:[、和及][一二三四五六日天]){0,6})?(?:的?\\d{1,2}[号日])?',
  '(?:周|星期|礼拜)[一二三四五六日天](?:到|至|和|、|-|—|~)(?:周|星期|礼拜)?[一二三四五六日天]|工作日|平时',
];

const recurringPattern = new RegExp(recurring.join('|'), 'giu');

/** "Payday is always the 25th" names a day of every month. */
const habits = (among: readonly LanguageRules[]) =>
  anyLanguage(({ calendar }) => calendar.habits, among);
const habitPattern = new RegExp(
  `${wholeWords([habits(spacedRules)])}|${habits(spacelessRules)}`,
  'iu',
);

const fewWords = {
  en: '(?:a few|several|some|a couple(?: of)?|many)',
  de: '(?:ein paar|einigen?|mehreren?|wenigen?)',
  fr: '(?:quelques|plusieurs)',
  es: '(?:un[oa]s(?: cuant[oa]s| poc[oa]s)?|algun[oa]s|vari[oa]s|poc[oa]s)',
  it: '(?:qualche|alcun[ei]|poch[ei]|un paio di|divers[ei])',
  pt: '(?:alguns|algumas|uns|umas|poucos|poucas|vári[oa]s|um par de)',
  ru: '(?:несколько|пару|пары|нескольких)',
} as const;

const vague = [
  wholeWords([
    // Of a day that is told by another one, a reader of dates takes "the day after" for tomorrow.
    '(?:the )?day (?:after|before)(?! (?:tomorrow|yesterday))',
    `(?:in |within |for |over )?(?:the (?:next|last|past|coming) )?${fewWords.en} (?:more )?(?:day|week|month|year|night|weekend)s?(?: (?:ago|back|later|from now))?`,
    '(?:the other|one|some) (?:day|night|week)|(?:one|some) of these days|these days|some ?day|the next (?:day|week|month)s|sooner or later',
    `(?:in|vor|seit|nach) ${fewWords.de} (?:tagen|wochen|monaten|jahren)|neulich|eines tages|irgendwann`,
    `(?:dans|il y a|depuis|d['’]ici) ${fewWords.fr} (?:jours|semaines|mois|ans|années)|l['’]autre jour|un (?:jour|de ces jours)`,
    `(?:en|dentro de|hace|desde hace) ${fewWords.es} (?:días|semanas|meses|años)|el otro día|algún día|un día de estos`,
    `(?:tra|fra|da) ${fewWords.it} (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi])|${fewWords.it} (?:giorn[oi]|settiman[ae]|mes[ei]|ann[oi]) fa|l['’]altro giorno|un giorno(?: o l['’]altro)?|uno di questi giorni`,
    `(?:em|daqui a|há|dentro de) ${fewWords.pt} (?:dias|semanas|meses|anos)|${fewWords.pt} (?:dias|semanas|meses|anos) atrás|(?:n?o )?outro dia|qualquer dia|um dia desses|algum dia`,
    `через ${fewWords.ru} (?:дней|дня|недель|недели|месяцев|месяца|лет)|${fewWords.ru} (?:дней|недель|месяцев|лет) назад|на днях|когда-нибудь|как-то раз`,
  ]),
  '(?:数|何|幾)(?:日|週間|か月|ヶ月|カ月|年)(?:後|前|か)?|この間|先日|いつか|近いうちに?|そのうち',
  '(?:过|再过|前)?几(?:天|个?星期|周|个?月|年)(?:后|前|以后|以前|之后|之前)?|改天|有一天|前几天|前阵子|这几天|最近',
];

const vaguePattern = new RegExp(vague.join('|'), 'giu');

/**
 * "3/8 cup", "24/7", "a 4/5": two numbers with a stroke are a date only where one is announced, or
 * beside a year.
 */
const dateAnnounced =
  'on|by|until|till|since|from|before|after|due|dated|between|for|is|was|le|du|au|el|il|del|al|em|dia|в|до|с|am|den|the|date|birthday|exam';
const ratioPattern = new RegExp(
  `(?<![\\d/.])(?:(?<!(?<!\\p{L})(?:${dateAnnounced}):? )\\d{1,2}\\/\\d{1,2}(?![\\d/])|` +
    `\\d{1,2}\\/\\d{1,3}(?![\\d/])(?= ?-?(?:cups?|c|tsp|tbsp|teaspoons?|tablespoons?|inch(?:es)?|in|"|″|of|miles?|pounds?|lbs?|stars?|points?|full|empty|done|complete|majority|share)(?!\\p{L})))|` +
    '(?<!\\d)24\\/7(?!\\d)|(?<=(?<!\\p{L})(?:is|was|for|the) )\\d{1,2}\\/(?:5|10)(?![\\d/])',
  'giu',
);
