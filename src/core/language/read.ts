import { type Detected, detect } from './detect.ts';
import { fold } from './fold.ts';
import { functionWords } from './function-words.ts';
import { isLanguage, type Language, scriptOf, usual } from './languages.ts';
import { englishStems, loadStems, type Stems } from './stems.ts';
import { wordsOf } from './words.ts';

/** What a text is read with. */
export type TextReading = {
  stems: Stems;
  /** The languages that it is in for sure, but for those that words are taken for anyway. */
  languages: readonly Language[];
};

/** What a question is read with. */
export type QueryReading = {
  stems: Stems;
  isFunctionWord: (word: string) => boolean;
  /** The languages that it is in, where its words tell. */
  sure: readonly Language[];
};

/** Finds out in which languages a text is; `known` are those that its project has already. */
export async function readText(text: string, known: readonly string[]): Promise<TextReading> {
  const { detected } = await readWords(text, known);
  const languages = detected.flatMap(({ sure }) => sure);
  const stems = await stemsIn(detected.flatMap(({ likely }) => likely));
  return { stems, languages: languages.filter((language) => !isUsual(language)) };
}

/** A question may be answered in any language of its project, and in its own. */
export async function readQuery(query: string, known: readonly string[]): Promise<QueryReading> {
  const { scripts, detected, spokenIn } = await readWords(query, known);
  const spoken = new Set(detected.flatMap(({ spoken }) => spoken));
  const stems = await stemsIn([
    ...scripts.map((script) => usual[script]),
    ...known.filter(isLanguage),
    ...detected.flatMap(({ likely }) => likely),
  ]);
  const isFunctionWord = (word: string) => {
    return spokenIn(word.replace(/['’]/g, '')).some((language) => spoken.has(language));
  };
  return { stems, isFunctionWord, sure: detected.flatMap(({ sure }) => sure) };
}

export const inEnglish: QueryReading = {
  stems: englishStems,
  isFunctionWord: (word) => {
    return functionWords.get(fold(word.replace(/['’]/g, '')))?.includes('english') ?? false;
  },
  sure: ['english'],
};

async function readWords(text: string, names: readonly string[]) {
  const words = wordsOf(text);
  const known = names.filter(isLanguage);
  const found = new Set(words.map(scriptOf));
  const scripts = [...found].filter((script) => script !== null);
  const isMore = scripts.some((script) => script !== 'latin');
  const others = isMore
    ? (await import('./function-words-of-other-scripts.ts')).functionWords
    : null;
  const spokenIn = (word: string): readonly Language[] => {
    const folded = fold(word);
    return functionWords.get(folded) ?? others?.get(folded) ?? [];
  };
  const detected = scripts.map((script): Detected => detect({ words, known, spokenIn }, script));
  return { scripts, detected, spokenIn };
}

/** English alone, which most texts are in, needs no waiting. */
function stemsIn(wanted: readonly Language[]): Stems | Promise<Stems> {
  return wanted.every((language) => language === 'english') ? englishStems : loadStems(wanted);
}

function isUsual(language: Language): boolean {
  return Object.values(usual).includes(language);
}
