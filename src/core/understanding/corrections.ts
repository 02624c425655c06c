const meant = new RegExp(
  '(?<!\\p{L})(?:i meant|ich meinte|je voulais dire|quer[íi]a decir|quise decir|volevo dire|' +
    'intendevo|quis dizer|queria dizer|име(?:л|ла) в виду|извини(?:те)?,|ошиб(?:ся|лась))' +
    '(?!\\p{L})|の間違い|说错了|說錯了',
  'iu',
);

const monthNames =
  '(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|oct|okt|nov|de[cz])\\p{L}*|janvier|février|mars|' +
  'avril|juin|juillet|août|\\p{L}+(?:embre|obre|braio)|enero|febrero|marzo|abril|mayo|junio|' +
  'julio|agosto|\\p{L}+(?:iembre|ubre|eiro|embro|ubro)|março|junho|julho|gennaio|aprile|maggio|' +
  'giugno|luglio|январ[ья]|феврал[ья]|марта|апрел[ья]|мая|июн[ья]|июл[ья]|август[а]?|' +
  '\\p{L}+(?:тябр|оябр|кабр)[ья]';

/** What of a date one says wrong: a day of the week, a day of a month, an hour. */
const kinds: readonly RegExp[] = [
  new RegExp(
    '(?<!\\p{L})(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|montag|dienstag|mittwoch|' +
      'donnerstag|freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|' +
      'lunes|martes|miércoles|jueves|viernes|sábado|domingo|lunedì|martedì|mercoledì|giovedì|' +
      'venerdì|sabato|domenica|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|понедельник|' +
      'вторник|среду|четверг|пятницу|субботу|воскресенье)(?!\\p{L})|[月火水木金土日]曜日?|' +
      '(?:周|星期|礼拜)[一二三四五六日天]',
    'giu',
  ),
  new RegExp(
    `(?<!\\p{L})(?:${monthNames}) \\d{1,2}(?:st|nd|rd|th)?(?!\\d)|` +
      `(?<!\\d)\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of |de )?(?:${monthNames})(?!\\p{L})|` +
      '\\d{1,2}月\\d{1,2}[日号]',
    'giu',
  ),
  /(?<![\d:])\d{1,2}(?::\d\d)? ?(?:[ap]\.?m\b|uhr\b|h\b|点|時)|(?<!\d)\d{1,2}:\d\d(?!\d)/giu,
];

/**
 * "Sorry, I meant Thursday" after "the meeting is on Tuesday": what was said before, with what was
 * meant; null where a sentence corrects nothing of it, or it can't be told what.
 */
export function corrected(sentence: string, before: string): string | null {
  const isMeant = meant.test(sentence);
  if (!isMeant) return null;
  let text = before;
  for (const kind of kinds) {
    const [right, ...others] = sentence.match(kind) ?? [];
    const [wrong, ...more] = text.match(kind) ?? [];
    if (right === undefined || wrong === undefined || others.length + more.length > 0) continue;
    text = text.replace(wrong, () => right);
  }
  return text === before ? null : text;
}
