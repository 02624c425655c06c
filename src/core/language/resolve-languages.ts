import { type DetectedLanguages, detectLanguages } from './detect.ts';
import { foldWord } from './fold.ts';
import { functionWords } from './function-words.ts';
import { defaultLanguageOf, isLanguage, type Language, scriptOf } from './languages.ts';
import { englishStemmers, loadStemmers, type StemmersByScript } from './stems.ts';
import { wordsOf } from './words.ts';

/** What a text is read with. */
export type TextLanguages = {
  stems: StemmersByScript;
  /** The languages that it is in for sure, but for those that words are taken for anyway. */
  languages: readonly Language[];
};

/** What a question is read with. */
export type QueryLanguages = {
  stems: StemmersByScript;
  isFunctionWord: (word: string) => boolean;
  /** The languages that it is in, where its words tell. */
  sure: readonly Language[];
};

/** Finds out in which languages a text is; `known` are those that its project has already. */
export async function resolveTextLanguages(
  text: string,
  known: readonly string[],
): Promise<TextLanguages> {
  const { detected } = await detectByScript(text, known);
  const languages = detected.flatMap(({ sure }) => sure);
  const stems = await stemsForLanguages(detected.flatMap(({ likely }) => likely));
  return { stems, languages: languages.filter((language) => !isDefaultLanguage(language)) };
}

/** A question may be answered in any language of its project, and in its own. */
export async function resolveQueryLanguages(
  query: string,
  known: readonly string[],
): Promise<QueryLanguages> {
  const { scripts, detected, spokenIn } = await detectByScript(query, known);
  const spoken = new Set(detected.flatMap(({ functionWordLanguages }) => functionWordLanguages));
  const stems = await stemsForLanguages([
    ...scripts.map((script) => defaultLanguageOf[script]),
    ...known.filter(isLanguage),
    ...detected.flatMap(({ likely }) => likely),
  ]);
  const isFunctionWord = (word: string) => {
    return spokenIn(word.replace(/['’]/g, '')).some((language) => spoken.has(language));
  };
  return { stems, isFunctionWord, sure: detected.flatMap(({ sure }) => sure) };
}

export const englishQuery: QueryLanguages = {
  stems: englishStemmers,
  isFunctionWord: (word) => {
    return functionWords.get(foldWord(word.replace(/['’]/g, '')))?.includes('english') ?? false;
  },
  sure: ['english'],
};

async function detectByScript(text: string, names: readonly string[]) {
  const words = wordsOf(text);
  const known = names.filter(isLanguage);
  const found = new Set(words.map(scriptOf));
  const scripts = [...found].filter((script) => script !== null);
  const isMore = scripts.some((script) => script !== 'latin');
  const others = isMore
    ? (await import('./function-words-of-other-scripts.ts')).otherScriptFunctionWords
    : null;
  const spokenIn = (word: string): readonly Language[] => {
    const folded = foldWord(word);
    return functionWords.get(folded) ?? others?.get(folded) ?? [];
  };
  const detected = scripts.map(
    (script): DetectedLanguages => detectLanguages({ words, known, spokenIn }, script),
  );
  return { scripts, detected, spokenIn };
}

/** English alone, which most texts are in, needs no waiting. */
function stemsForLanguages(
  wanted: readonly Language[],
): StemmersByScript | Promise<StemmersByScript> {
  return wanted.every((language) => language === 'english')
    ? englishStemmers
    : loadStemmers(wanted);
}

function isDefaultLanguage(language: Language): boolean {
  return Object.values(defaultLanguageOf).includes(language);
}
