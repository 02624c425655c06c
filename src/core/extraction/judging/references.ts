import { functionWords } from '../../language/function-words.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import { sentenceWords } from '../languages/all-languages.ts';
import { isFiniteVerb } from '../languages/en/verbs.ts';
import type { LanguageRules, SentenceWords } from '../languages/rules.ts';

/**
 * Whether a sentence begins with a word for something that was named before it: alone, it does not
 * say what it is about.
 */
export function opensWithReference(sentence: string): boolean {
  return opensWithPerson(sentence) || thingStart.test(sentence);
}

/** Whether it begins with a word for somebody who was named before it. */
export function opensWithPerson(sentence: string): boolean {
  return personStart.test(sentence);
}

/**
 * Whether a sentence says who or what it is about, by the words of its language: not so "She's 31",
 * "Comes next Friday" or "1.85 is what we have".
 */
export function isReadAlone(sentence: string, { sentences }: LanguageRules): boolean {
  const { unnamed, pointing } = sentences;
  if (opensWithPerson(sentence) || unnamed.some((one) => one.test(sentence))) return false;
  if (saysOnlyNumbers(sentence)) return false;
  return !thingStart.test(sentence) || isOfSpeaker(sentence) || pointing?.test(sentence) === true;
}

function saysOnlyNumbers(sentence: string): boolean {
  if (!/^\p{N}/u.test(sentence)) return false;
  const words = sentence.slice(0, numbersMaxChars).match(/[\p{L}\p{N}][\p{L}\p{N}.,]*/gu) ?? [];
  return words.length > 1 && words.every((one) => /^\p{N}/u.test(one) || isFunctionWord(one));
}

const numbersMaxChars = 100;

function isFunctionWord(word: string): boolean {
  return functionWords.has(foldWord(word.replace(/[.,]$/, '')));
}

/** Whether a sentence of few words does not say who or what it is about: "third one in a year." */
export function isFragment(sentence: string): boolean {
  if (firstPerson.test(sentence)) return false;
  const words = wordsOf(sentence);
  const terms = words.filter((word) => !functionWords.has(foldWord(word)));
  return terms.length <= fewTerms && words.length > 0 && !words.slice(0, 6).some(isFiniteVerb);
}

/** Whether a sentence speaks of the speaker, or of what is theirs. */
export function isOfSpeaker(sentence: string): boolean {
  return firstPerson.test(sentence);
}

const fewTerms = 3;

const spaced = sentenceWords.filter(({ joints }) => joints !== undefined);
const spaceless = sentenceWords.filter(({ joints }) => joints === undefined);
const joined = (words: readonly string[]) => words.join('|');

const firstPerson = new RegExp(
  `(?<!\\p{L})(?:${joined(spaced.map(({ speaker }) => speaker))})(?!\\p{L})|` +
    joined(spaceless.map(({ speaker }) => speaker)),
  'iu',
);

function startsWith(words: (of: SentenceWords) => string): RegExp {
  const joints = joined(spaced.map((one) => one.joints ?? ''));
  return new RegExp(
    `^[\\s"“„«(]*(?:(?:${joints})[, ]+)?(?:${joined(spaced.map(words))})(?!\\p{L})|` +
      `^(?:${joined(spaceless.map(words))})`,
    'iu',
  );
}

const personStart = startsWith(({ people }) => people);
const thingStart = startsWith(({ things }) => things);
