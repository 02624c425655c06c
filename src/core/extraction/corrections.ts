import type { Message } from '../../contract/schemas/message.ts';
import { allRules, anyLanguage } from './languages/all-languages.ts';
import { type CorrectionWords, dateSourcesOf } from './languages/correction-words.ts';

const wordsFor = (part: keyof CorrectionWords) =>
  anyLanguage(({ corrections }) => corrections[part]);

const apology = `(?:${wordsFor('apologies')})`;
const punctuation = "[\\s,.:;!…~()'’—–、。，！-]*";
const fillerWords = anyLanguage(({ isSpaceless, corrections: { fillers } }) =>
  isSpaceless ? fillers : `(?:${fillers})(?!\\p{L})`,
);

const { kinds } = dateSourcesOf(allRules);
const dateSource = `(?:${kinds.join('|')})`;
const kindPatterns = kinds.map((kind) => new RegExp(kind, 'giu'));
const fillerSource = `(?:${punctuation}(?:${fillerWords}))*${punctuation}`;

/** "Sorry, I meant (Thursday at 5pm)", and the rest of the sentence. */
const correctionPattern = new RegExp(
  `^(?:${punctuation}${apology}(?!\\p{Ll}))*${punctuation}(?:${wordsFor('meant')})(?!\\p{L})` +
    `(?<dates>(?:${fillerSource}${dateSource})+)(?!['’\\p{Ll}])(?<rest>.*)$`,
  'isu',
);

/** "木曜日の間違いでした": the date comes first. */
const leadingDateCorrection = new RegExp(
  `^(?:${punctuation}${apology})*${punctuation}(?<dates>${dateSource})(?:${wordsFor('mistaken')})(?<rest>.*)$`,
  'isu',
);
const onlyFiller = new RegExp(`^${fillerSource}$`, 'iu');
const continues = new RegExp(`^\\s*(?:[,.;!—–]|-\\s|(?:${wordsFor('continues')})\\s)`, 'iu');

/** A bare apology corrects a date only if the sentence says nothing else. */
const apologyOnly = new RegExp(wordsFor('apologyOnly'), 'iu');

const anyDate = new RegExp(dateSource, 'iu');

/** A memory text, and the original words if they differ. */
type CorrectableText = { text: string; said: string | null };

/**
 * The previous statement as corrected by a sentence, and whether that sentence says more; null if
 * it is not a correction.
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

/** Whether a sentence corrects a date that was named before it. */
export function correctsDate(sentence: string): boolean {
  return correctionPattern.test(sentence) || leadingDateCorrection.test(sentence);
}

type MessageNumbered = { message: number };

/**
 * True when the speaker has named another date in between, such as "wake me at four", which the
 * correction may refer to instead.
 */
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
 * Applies "Sorry, I meant Thursday" to "the meeting is on Tuesday". Null if the sentence corrects
 * nothing, such as "I meant to call on Thursday", or if it is unclear what it corrects.
 */
function correctDates(sentence: string, before: string): Correction | null {
  const groups = (correctionPattern.exec(sentence) ?? leadingDateCorrection.exec(sentence))?.groups;
  if (groups === undefined) return null;
  const { dates = '', rest = '' } = groups;
  const saysMore = !onlyFiller.test(rest);
  if (saysMore && (!continues.test(rest) || apologyOnly.test(sentence))) return null;
  let text = before;
  for (const pattern of kindPatterns) {
    const [right, ...others] = dates.match(pattern) ?? [];
    const [wrong, ...more] = text.match(pattern) ?? [];
    if (right === undefined || wrong === undefined || others.length + more.length > 0) continue;
    text = text.replace(wrong, () => right);
  }
  return text === before ? null : { text, saysMore };
}
