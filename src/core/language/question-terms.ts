import type { QueryTerm } from '../ports/index.ts';
import { aliasNames, type FoundAlias } from './aliases.ts';
import { otherSpellings } from './british-american.ts';
import { findCompounds } from './joined-spellings.ts';
import { recallWords, userWords } from './question-words.ts';
import type { QueryLanguages } from './resolve-languages.ts';
import { joinIdentifiers, searchWordsOf } from './signs.ts';
import { queryTermsOfWords } from './terms-of-text.ts';
import { foldWord, wordsOf } from './words.ts';

/**
 * What a question is about, for a search: each word with the other ways in which it may be written
 * in memories. Empty where the question has no word that says what it is about, such as "What do
 * you know about me?".
 */
export function questionTermsOf(
  query: string,
  reading: QueryLanguages,
  aliases: readonly FoundAlias[] = [],
): QueryTerm[] {
  const { text: plain, identifiers } = joinIdentifiers(joinAbbreviations(query));
  const words = searchWordsOf(plain);
  const parts = [...identifiers.values()].flatMap(searchWordsOf);
  const content = [...contentWords(plain, words, reading), ...parts].flatMap(splitUnit);
  const others = new Map<string, Set<string>>();
  const note = (word: string, other: string) => {
    others.set(word, (others.get(word) ?? new Set()).add(other));
  };
  for (const { parts, compound } of findCompounds(plain)) {
    for (const part of parts) note(part, compound);
  }
  for (const [joined, parts] of neighbours(content)) for (const part of parts) note(part, joined);
  for (const [word, phrase] of identifiers) note(word, phrase);
  for (const [word, names] of aliasNames(aliases)) for (const name of names) note(word, name);
  const { sure } = reading;
  const isEnglish = sure.length === 0 || sure.includes('english');
  if (isEnglish)
    for (const word of content) for (const other of otherSpellings(word)) note(word, other);
  const labels = isEnglish ? labelsIn(plain, words, new Set(content)) : [];
  return queryTermsOfWords([...content, ...labels], reading.stems, others);
}

/**
 * Letters that name one of several things and are function words elsewhere: "vitamin A", "plan E".
 * They are written as capitals, or no noun follows them; they are looked for after the word before
 * them.
 */
function labelsIn(query: string, words: readonly string[], content: ReadonlySet<string>): string[] {
  const capitals = /\p{Ll}/u.test(query) ? (query.match(capitalPattern) ?? []) : [];
  const isCapital = new Set(capitals.map((letter) => letter.toLowerCase()));
  return words.slice(1).flatMap((word, index) => {
    const [before = '', next] = [words[index], words[index + 2]];
    if (!/^\p{L}$/u.test(word) || content.has(word) || !content.has(before)) return [];
    if (word === 'i' && next !== undefined) return []; // "options I have"
    const isArticle = next !== undefined && content.has(next);
    return isCapital.has(word) || !isArticle ? [`${before} ${word}`] : [];
  });
}

const capitalPattern = /(?<=[\p{L}\p{N}] )(?!I)\p{Lu}(?![\p{L}\p{N}\p{M}'’])/gu;

/** "p.m." as "pm". */
function joinAbbreviations(query: string): string {
  return query.replace(/(?<![\p{L}\p{N}.])\p{L}(?:\.\p{L}){1,5}(?![\p{L}\p{N}])\.?/gu, (match) =>
    match.replaceAll('.', ''),
  );
}

function contentWords(
  query: string,
  words: readonly string[],
  { withoutFunctionWords, sure }: QueryLanguages,
): string[] {
  // The words of a short question may not tell its language: "alle Erinnerungen".
  const isAnyLanguage = sure.length === 0 && words.length > 1;
  const isOfSubject = (word: string) =>
    !recallWords
      .get(foldWord(word))
      ?.some((one) => isAnyLanguage || one === 'english' || sure.includes(one));
  const telling = withoutFunctionWords(words);
  const content = telling.filter((word) => !userWords.has(word));
  if (content.some(isOfSubject)) return content;
  if (words.length === 1) return words.filter(isOfSubject);
  return namesIn(query).filter((word) => isOfSubject(word) && !userWords.has(word));
}

/** Function words that are written like a name inside a sentence: "Who is Will?". */
function namesIn(query: string): string[] {
  const [, ...words] = query.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  const names = words.filter((word) => /^\p{Lu}[\p{L}\p{M}]/u.test(word));
  return names.length === words.length ? [] : wordsOf(names.join(' '));
}

/** "3pm" as "3" and "pm", "covid19" as "covid" and "19"; ordinals and short codes stay. */
function splitUnit(word: string): string[] {
  const [, ...parts] =
    /^(\d{1,4})(?!(?:st|nd|rd|th)$)(\p{L}{1,5})$/u.exec(word) ??
    /^(\p{L}{3,})(\d{1,4})$/u.exec(word) ??
    [];
  return parts.length === 0 ? [word] : parts;
}

/**
 * Words that stand side by side, of which one is short, as one: "wi fi", "3 pm", "play list". A
 * word with an apostrophe is not part of a compound: stems in Turkish end at it, so that "John's
 * car" would look for "John" instead of "car". Nor is a letter at the end: "plan E" is not "plane".
 */
function neighbours(words: readonly string[]): [joined: string, parts: string[]][] {
  return words.slice(1).flatMap((word, index): [string, string[]][] => {
    const before = words[index] ?? '';
    const isShort = Math.min(before.length, word.length) <= shortPartMax;
    const joined = before + word;
    const isCompound =
      !/^\d+$|[^\p{L}\p{N}\p{M}]/u.test(joined) && !/^\p{L}+ \p{L}$/u.test(`${before} ${word}`);
    return isShort && isCompound && joined.length <= joinedMax ? [[joined, [before, word]]] : [];
  });
}

const shortPartMax = 4;
const joinedMax = 16;
