import { analyze, analyzeQuery } from '../language/terms-of-text.ts';
import type { StoredMemory } from '../ports/index.ts';

/** A memory as the rules read it. */
export type AnalyzedMemory = { memory: StoredMemory; text: string; terms: ReadonlySet<string> };

/** The rules look for short statements: in a longer text the beginning is enough. */
const textMaxChars = 4000;

export function analyzeMemory(memory: StoredMemory): AnalyzedMemory {
  const text = memory.memory.slice(0, textMaxChars);
  return { memory, text, terms: new Set(analyze(text)) };
}

/** The words of a field's name, in lower case: `favFood` and `fav_food` are `fav`, `food`. */
export function wordsOfName(name: string): string[] {
  const spaced = name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Words of names that say what kind of value is meant, not what it is about. */
const valueKindWords = new Set(
  `amount at boolean count current currently date day flag id is latest list name num number of on
  score since text time total user value year`.split(/\s+/),
);

/** The index terms that a memory about this field holds; none when the name tells nothing. */
export function distinctiveTerms(name: string): string[] {
  const words = wordsOfName(name).filter((word) => !valueKindWords.has(word));
  return words.length === 0 ? [] : analyzeQuery(words.join(' '));
}

export function holdsAllTerms(source: AnalyzedMemory, terms: readonly string[]): boolean {
  return terms.every((term) => source.terms.has(term));
}
