/** Days of the week, in the languages that the rules know. */
export const weekdaySource =
  '(?<!\\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|' +
  'donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|' +
  'lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|' +
  'venerdì|sabato|domenica|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|понедельник|' +
  'вторник|среду|четверг|пятницу|субботу|воскресенье)(?!\\p{L})|[月火水木金土日]曜日?|' +
  '(?:周|星期|礼拜)[一二三四五六日天]';

/** Spelled out: "market 5" is not a day in March. */
const monthNames =
  '(?:jan(?:uary?|uar)?|feb(?:ruary?|ruar)?|mar(?:ch)?|märz|apr(?:il)?|ma[iy]|jun[ei]?|' +
  'jul[iy]?|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|' +
  'janvier|février|mars|avril|juin|juillet|août|(?:sept|nov|déc)embre|octobre|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|(?:sept|nov|dic)iembre|octubre|' +
  'janeiro|fevereiro|março|maio|junho|julho|(?:set|nov|dez)embro|outubro|' +
  'gennaio|febbraio|aprile|maggio|giugno|luglio|(?:sett|nov|dic)embre|ottobre|' +
  'январ[ья]|феврал[ья]|март[а]?|апрел[ья]|ма[йя]|июн[ья]|июл[ья]|августа?|' +
  '(?:сент|окт|но|дек)[ая]?бр[ья])';

/** "March 26", "the 5th of December", "5月3日". */
export const dayOfMonthSource =
  `(?<!\\p{L})${monthNames}\\.? \\d{1,2}(?:st|nd|rd|th)?(?!\\d)|` +
  `(?<!\\d)\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of |de )?${monthNames}(?!\\p{L})|` +
  '\\d{1,2}月\\d{1,2}[日号]';

/** "4pm", "16 Uhr", "16:30". */
export const hourSource =
  '(?<![\\d:])\\d{1,2}(?::\\d\\d)? ?(?:[ap]\\.?m(?!\\p{L})\\.?|uhr(?!\\p{L})|h(?!\\p{L})|点|時)|' +
  '(?<!\\d)\\d{1,2}:\\d\\d(?!\\d)';

const comingWords =
  '(?:the|next|early|late|mid|den|die|das|nächste\\p{L}*|kommende\\p{L}*|l[ea]s?|el|al|il|lo|' +
  'o|a|próxim[oa]|prossim[oa]|prochaine?|следующ\\p{L}+)';
const relativeDateSource =
  '(?:today|tonight|tomorrow|(?:next|this) (?:week|weekend|month|year|spring|summer|fall|' +
  'autumn|winter)|\\d{1,2}(?:st|nd|rd|th)(?=[.,!]?$| (?:of|at)(?!\\p{L}))|morgen|übermorgen|' +
  'nächste(?:n|s)? (?:woche|monat|jahr)|demain|(?:semaine|mois) prochaine?|mañana|' +
  '(?:semana|mes) (?:que viene|próxim[oa])|domani|(?:settimana|mese) prossim[oa]|amanhã|' +
  '(?:semana|mês) (?:que vem|próxim[oa])|завтра|послезавтра|следующ\\p{L}+ (?:неделю|месяц)|' +
  '明日|明後日|来週|来月|明天|后天|下周|下个?月)';

/** A day, week, month or hour to which something may be moved. */
export const dateSource =
  `(?:${comingWords}[ -])*(?:${weekdaySource}|${dayOfMonthSource}|${hourSource}|${relativeDateSource}(?!\\p{Ll})|` +
  `(?<!\\p{L})${monthNames}(?!\\p{L}))`;
