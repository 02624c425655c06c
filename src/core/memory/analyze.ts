import { inEnglish, type QueryReading } from '../language/read.ts';
import { englishStems, formsOf, type Stems, stemsOf } from '../language/stems.ts';
import { wordsOf } from '../language/words.ts';
import type { Term } from '../ports.ts';

/**
 * The index terms of a text, in order: words folded to lower case without accents and reduced to
 * their stems, scripts written without spaces cut into characters and pairs. Every term is of
 * ASCII letters and digits or characters outside ASCII.
 */
export function analyze(text: string, stems: Stems = englishStems): string[] {
  return wordsOf(text).flatMap((word) =>
    partsOf(word).flatMap((part) => {
      return spaceless.test(part) ? charactersAndPairs(part) : stemsOf(part, stems);
    }),
  );
}

/** The terms of a question, in English, that say what it is about. */
export function analyzeQuery(query: string): string[] {
  return termsAsked(query, inEnglish).flat();
}

/** The words of a question that say what it is about: function words are left out. */
export function termsAsked(query: string, { stems, isFunctionWord }: QueryReading): Term[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !isFunctionWord(word));
  const asked = telling.length > 0 ? telling : words;
  const terms = asked.flatMap((word) =>
    partsOf(word).flatMap((part): Term[] => {
      return spaceless.test(part) ? pairsOf(part).map((pair) => [pair]) : [formsOf(part, stems)];
    }),
  );
  const different = new Map(terms.map((term) => [term.join(' '), term]));
  return [...different.values()].slice(0, queryTermsMax);
}

/** Beyond this many, further terms of a long query no longer change what is found. */
const queryTermsMax = 64;

/** Runs of scripts without spaces, and what stands between them. */
function partsOf(word: string): string[] {
  const parts = word.split(spacelessRun).filter((part) => part !== '');
  return parts.map((part) => (spaceless.test(part) ? part : part.slice(0, termMaxChars)));
}

const termMaxChars = 64;

/**
 * Scripts written without spaces: pairs of characters find more than whole runs do. A text also has
 * its characters as terms, so that a question of one character finds it.
 */
const scripts = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const spacelessClass = `[${scripts.map((script) => `\\p{Script=${script}}`).join('')}ー々]`;
const spaceless = new RegExp(spacelessClass, 'u');
const spacelessRun = new RegExp(`(${spacelessClass}+)`, 'u');

function charactersAndPairs(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? characters : [...characters, ...pairsOf(run)];
}

function pairsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
