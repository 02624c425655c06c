import { otherSpellings } from '../../language/british-american.ts';
import type { Language } from '../../language/languages.ts';
import { type QueryLanguages, resolveQueryLanguages } from '../../language/resolve-languages.ts';
import { queryTermsOfWords } from '../../language/terms-of-text.ts';
import { foldWord, wordsOf } from '../../language/words.ts';
import type { QueryTerm } from '../../ports/index.ts';
import { anyLanguage, detectRuleLanguages, rulesOf } from '../languages/all-languages.ts';
import { isUserWord } from '../languages/user-words.ts';
import { notToKeep, withoutPointing } from './forget-requests.ts';
import {
  allWords,
  askNouns,
  askVerbs,
  capitalizesNouns,
  clauseWords,
  determiners,
  freeWords,
  listsFor,
  politeWords,
} from './request-words.ts';
import { spacelessScript, spacelessWords } from './spaceless-requests.ts';

/** A word that tells which memory is meant, and the terms that stand for it in memories. */
export type TellingWord = { written: string; terms: readonly QueryTerm[] };

/** What a request to forget is about. */
export type ForgetObject = {
  /** Its text, without the words that ask. */
  text: string;
  /** At least one. A memory that is meant has them all. */
  words: readonly TellingWord[];
  /** "That I have a dog" says what the memory says; "my dog" names something of it. */
  isClause: boolean;
  /** All that names it is meant. */
  isAll: boolean;
  /** Whether neither "my" nor "the" stands before its first word: it may be a name. */
  isBare: boolean;
  reading: QueryLanguages;
};

/** What a sentence asks to forget; null if it does not say. `known` are texts of memories. */
export async function readForgetObject(
  sentence: string,
  memoryTexts: readonly string[],
): Promise<ForgetObject | null> {
  const objectText = notToKeep(sentence) ?? withoutPointing(sentence.slice(0, readCharsMax));
  const text = withoutElisions(objectText);
  const words = wordsOf(text);
  const reading = await resolveQueryLanguages(text, languagesOf([sentence, ...memoryTexts]));
  if (spacelessScript.test(text)) {
    const { telling, around, isAll, isBare } = spacelessWords(text);
    if (telling.length === 0) return null;
    const tellingWords = telling.map((written) => ({ written, terms: [] }));
    return { text: around, words: tellingWords, isClause: false, isAll, isBare, reading };
  }
  const telling = new Set([...reading.withoutFunctionWords(words), ...namesIn(text, reading)]);
  const { object, isClause, isAll } = cutRequest(words, telling);
  const objectWords = [...new Set(object)].filter((word) => telling.has(word) && !isUserWord(word));
  if (objectWords.length === 0) return null;
  const tellingWords = objectWords.map((written) => ({
    written,
    terms: termsOf(written, reading),
  }));
  const before = words[words.indexOf(objectWords[0] ?? '') - 1] ?? '';
  const isBare = !isOf(determiners, before);
  return { text: object.join(' '), words: tellingWords, isClause, isAll, isBare, reading };
}

/** "Mia" and "May" are function words of some language. */
function namesIn(text: string, reading: QueryLanguages): string[] {
  if (capitalizesNouns(reading)) return [];
  const names = text.match(/(?<=[\p{L}\p{N}] )\p{Lu}\p{Ll}{2,}(?!['’\p{L}])/gu) ?? [];
  return names.flatMap(wordsOf);
}

/** Nobody says what to forget in more. */
const readCharsMax = 1000;

export function termsOf(word: string, reading: QueryLanguages): QueryTerm[] {
  const spellings = reading.sure.includes('english') ? otherSpellings(word) : [];
  const forms = listsFor(reading).map(({ otherForm }) => otherForm?.(word) ?? word);
  return queryTermsOfWords(
    [word],
    reading.stems,
    new Map([[word, new Set([...spellings, ...forms])]]),
  );
}

/** "L'espagnol" as "espagnol". */
export function withoutElisions(text: string): string {
  return text.replace(elision, '');
}

const elided = anyLanguage(({ forgetting }) => forgetting.words?.elided);
const elision = new RegExp(`(?<![\\p{L}\\p{M}'’])(?:${elided})['’](?=\\p{L}{2})`, 'giu');

/** The languages in which a user writes: of the request and the memories. */
function languagesOf(texts: readonly string[]): Language[] {
  const detected = texts.map(detectRuleLanguages).filter(({ length }) => length === 1);
  const written = detected.flat().flatMap((code) => rulesOf(code).language ?? []);
  return [...new Set(written)];
}

type CutRequest = { object: readonly string[]; isClause: boolean; isAll: boolean };

/** Without the words that ask: before and after the object, or all of them where none leads. */
function cutRequest(words: readonly string[], telling: ReadonlySet<string>): CutRequest {
  const isAsking = (word: string) => isOf(askVerbs, word) || isOf(askNouns, word);
  const isMinor = (word: string) => !telling.has(word) || isOf(politeWords, word);
  let [start, hasVerb, isClause] = [0, false, false];
  for (const word of words) {
    if (!isAsking(word) && !isMinor(word)) break;
    const before = words[start - 1] ?? '';
    const after = words[start + 1] ?? '';
    start += 1;
    // "All that you know about it" says what is meant only after that.
    const leads = isAsking(before) && !isOf(allWords, before) && !isAsking(after);
    isClause = hasVerb && isOf(clauseWords, word) && leads;
    if (isClause) break;
    hasVerb ||= isOf(askVerbs, word);
  }
  if (!hasVerb) {
    const object = words.filter((word) => !isAsking(word) && !isOf(freeWords, word));
    const objectWords = object.filter((word) => !isOf(politeWords, word));
    return {
      object: objectWords,
      isClause: false,
      isAll: words.some((word) => isOf(allWords, word)),
    };
  }
  let end = words.length;
  // The end of a clause says who or what of two it is: "coffee to tea", "over me".
  const isAfter = (word: string) =>
    isClause ? isOf(politeWords, word) : isMinor(word) || isAsking(word);
  while (end > start && isAfter(words[end - 1] ?? '')) end -= 1;
  const around = [...words.slice(0, start), ...words.slice(end)];
  const isAll = !isClause && around.some((word) => isOf(allWords, word));
  return { object: words.slice(start, end), isClause, isAll };
}

function isOf(list: ReadonlySet<string>, word: string): boolean {
  return list.has(foldWord(word));
}
