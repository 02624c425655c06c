import type { Message } from '../../contract/schemas/message.ts';
import { dayOfMonthSource, hourSource, weekdaySource } from './languages/date-patterns.ts';

/** Before what was meant there is at most an apology. */
const apology =
  '(?:(?:so |i.m |very )?sorry|oh|ah|oops|ups|no|nope|wait|actually|my (?:bad|mistake)|' +
  'apologies|ach|nee|nein|entschuldigung|entschuldige|tut mir leid|pardon|désolée?|non|' +
  'excusez?[- ]moi|perdón|perdona|disculpa|lo siento|scusa(?:mi|te)?|mi dispiace|desculp[ae]|' +
  'não|ой|извини(?:те)?|прости(?:те)?|нет|yo|io|eu|я|ごめん(?:なさい|ね)?|すみません|' +
  '不好意思|抱歉|对不起|我)';
const punctuation = "[\\s,.:;!…~()'’—–、。，！-]*";

const meantPhrases =
  '(?:i meant|ich meinte|je voulais dire|quer[íi]a decir|quise decir|volevo dire|' +
  'intendevo|quis dizer|queria dizer|име(?:л|ла) в виду|ошиб(?:ся|лась)|ой,? извини(?:те)?|' +
  '说错了|說錯了)';

const fillerWords =
  '(?:(?:on|at|by|the|same|time|am|den|um|zur|selben?|zeit|le|à|el|las?|il|alle|na|no|às|o|a|' +
  'во?|на)(?!\\p{L})|应该是|是)';

const datePatternSources = [weekdaySource, dayOfMonthSource, hourSource];
const dateSource = `(?:${datePatternSources.join('|')})`;
const fillerSource = `(?:${punctuation}${fillerWords})*${punctuation}`;

/** "Sorry, I meant (Thursday at 5pm)", and what is left of the sentence. */
const correctionPattern = new RegExp(
  `^(?:${punctuation}${apology}(?!\\p{Ll}))*${punctuation}${meantPhrases}(?!\\p{L})` +
    `(?<dates>(?:${fillerSource}${dateSource})+)(?!['’\\p{Ll}])(?<rest>.*)$`,
  'isu',
);

/** "木曜日の間違いでした": the day comes first. */
const leadingDateCorrection = new RegExp(
  `^(?:${punctuation}${apology})*${punctuation}(?<dates>${dateSource})の間違い(?:でした|です|だった|だ)?(?<rest>.*)$`,
  'isu',
);
const onlyFiller = new RegExp(`^${fillerSource}$`, 'iu');
const continues =
  /^\s*(?:[,.;!—–]|-\s|(?:and|but|not|und|aber|nicht|et|mais|y|pero|e|ma|mas|и|а|но)\s)/iu;

/** An apology alone corrects a day only where nothing else is said. */
const apologyOnly = /извини/iu;

const anyDate = new RegExp(dateSource, 'iu');

/** What is said, and the words as they were, where they differ. */
type CorrectableText = { text: string; said: string | null };

/**
 * What was said just before, as it was meant, where somebody corrects it, and whether the sentence
 * that does so says more.
 */
export function correctStatement<Before extends CorrectableText>(
  before: Before,
  { said, text }: CorrectableText,
) {
  const correct = (words: string) => correctDates(said ?? text, words);
  const right = correct(before.text);
  if (right === null) return null;
  const meant = before.said === null ? null : (correct(before.said)?.text ?? null);
  return { statement: { ...before, text: right.text, said: meant }, saysMore: right.saysMore };
}

type MessageNumbered = { message: number };

/** What was asked since, like "wake me at four", may be what is corrected. */
export function hasDateBetween(
  messages: readonly Message[],
  from: MessageNumbered,
  to: MessageNumbered,
): boolean {
  const role = messages[from.message]?.role;
  return messages
    .slice(from.message + 1, to.message)
    .some((one) => one.role === role && anyDate.test(one.content));
}

type Correction = { text: string; saysMore: boolean };

/**
 * "Sorry, I meant Thursday" after "the meeting is on Tuesday"; null where a sentence corrects
 * nothing of it, or it can't be told what. "I meant to call on Thursday" corrects nothing.
 */
function correctDates(sentence: string, before: string): Correction | null {
  const groups = (correctionPattern.exec(sentence) ?? leadingDateCorrection.exec(sentence))?.groups;
  if (groups === undefined) return null;
  const { dates = '', rest = '' } = groups;
  const saysMore = !onlyFiller.test(rest);
  if (saysMore && (!continues.test(rest) || apologyOnly.test(sentence))) return null;
  let text = before;
  for (const kind of datePatternSources) {
    const pattern = new RegExp(kind, 'giu');
    const [right, ...others] = dates.match(pattern) ?? [];
    const [wrong, ...more] = text.match(pattern) ?? [];
    if (right === undefined || wrong === undefined || others.length + more.length > 0) continue;
    text = text.replace(wrong, () => right);
  }
  return text === before ? null : { text, saysMore };
}
