import type { QueryLanguages } from '../../language/resolve-languages.ts';
import { queryTermsOf } from '../../language/terms-of-text.ts';

/** A word of a question that is written as names are, and the forms in which memories hold it. */
export type NameInQuestion = { word: string; forms: readonly string[] };

/** Words with a capital; the first word of a question too, unless it is a function word. */
export function namesIn(query: string, reading: QueryLanguages): NameInQuestion[] {
  const words = new Set(query.match(/(?<![\p{L}\p{N}\p{M}])\p{Lu}[\p{L}\p{N}\p{M}]*/gu) ?? []);
  return [...words]
    .slice(0, namesMax)
    .filter((word) => reading.withoutFunctionWords([word.toLowerCase()]).length > 0)
    .map((word) => ({ word, forms: termsOfWord(word, reading) }))
    .filter(({ forms }) => forms.length > 0);
}

/** Texts in capitals have more such words, and each is looked for in all candidates. */
const namesMax = 16;

/** The terms of a single word, even if it is a function word in some language. */
export function termsOfWord(word: string, { stems }: QueryLanguages): string[] {
  const reading: QueryLanguages = { stems, withoutFunctionWords: (words) => [...words], sure: [] };
  return queryTermsOf(word, reading).flat();
}

/**
 * A word table refuses names that it knows only in pieces, unless a known word stands beside each.
 */
export function textOfNames(words: readonly string[]): string {
  return words.map((word) => `and ${word}`).join(' ');
}
