import { anySearchWord, wholeSearchWord } from '../../extraction/languages/search-words.ts';
import { questionTermsOf } from '../../language/question-terms.ts';
import { englishQuery } from '../../language/resolve-languages.ts';

/** A text seldom asks more than this at once, and each question is a search of its own. */
const clausesMax = 4;

/**
 * The things that a text asks, each as a question that can be searched for by itself: "Where does
 * Ann live, and what does she eat?" asks two. A part that only refers to the question before it, by
 * a pronoun or without a word of its own, is searched together with it.
 */
export function clausesOf(query: string): string[] {
  const clauses: string[] = [];
  for (const part of query.split(boundary)) {
    const text = part.trim();
    if (text === '') continue;
    const last = clauses.at(-1);
    if (isAboutNothing(text)) {
      if (last === undefined) clauses.push(text);
      else clauses[clauses.length - 1] = `${last} ${text}`;
    } else clauses.push(last !== undefined && reference.test(text) ? `${last} ${text}` : text);
  }
  return clauses.length > clausesMax ? [query] : clauses;
}

/** The end of a sentence, and "and" before a word that begins a question. */
const boundary = new RegExp(
  '(?<=[?!。？！])\\s*|(?<=\\p{L}{3}\\.)\\s+|;\\s+|(?:,\\s{0,3})?(?<=[\\s,])' +
    `(?:${anySearchWord('asksOn')})\\s{1,3}(?:(?:${anySearchWord('also')})\\s)?` +
    `(?=(?:${anySearchWord('asks')})[\\s'’]\\s{0,3}\\p{L})`,
  'iu',
);

/** True if a question is incomplete without the one before it. */
export function refersBack(text: string): boolean {
  return reference.test(text) || continued.test(text) || isAboutNothing(text);
}

function isAboutNothing(text: string): boolean {
  return questionTermsOf(text, englishQuery).length === 0;
}

/** "And in March?" */
const continued = new RegExp(`^(?:${anySearchWord('asksOn', 'asksMore')})(?!\\p{L})`, 'iu');

const reference = new RegExp(wholeSearchWord('pronouns'), 'iu');
