import { countVotes, detectLanguages, type LanguageVotes, type VotingWord } from './detect.ts';
import { functionWords } from './function-words.ts';
import { defaultLanguageOf, isLanguage, type Language } from './languages.ts';
import { englishStemmers, loadStemmers, type StemmersByScript } from './stems.ts';
import { readWords, type Script, wordsOf } from './words.ts';

/** What a text is read with. */
export type TextLanguages = {
  stems: StemmersByScript;
  /** The languages that it is in for sure, but for those that words are taken for anyway. */
  languages: readonly Language[];
};

/** What a question is read with. */
export type QueryLanguages = {
  stems: StemmersByScript;
  withoutFunctionWords: (words: readonly string[]) => string[];
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
  const { scripts, detected, tables } = await detectByScript(query, known);
  const spoken = new Set(detected.flatMap(({ functionWordLanguages }) => functionWordLanguages));
  const stems = await stemsForLanguages([
    ...scripts.map((script) => defaultLanguageOf[script]),
    ...known.filter(isLanguage),
    ...detected.flatMap(({ likely }) => likely),
  ]);
  return {
    stems,
    withoutFunctionWords: (words) => dropFunctionWords(words, { tables, spoken }),
    sure: detected.flatMap(({ sure }) => sure),
  };
}

/** What the function words of a text in Latin script speak for and, `withLetters`, its letters. */
export function countLatinVotes(
  text: string,
  { withLetters }: { withLetters: boolean },
): LanguageVotes {
  const words = toVotingWords(wordsOf(text), [functionWords]);
  return countVotes(withLetters ? words : words.map((word) => ({ ...word, word: '' })));
}

export const englishQuery: QueryLanguages = {
  stems: englishStemmers,
  withoutFunctionWords: (words) =>
    dropFunctionWords(words, { tables: [functionWords], spoken: english }),
  sure: ['english'],
};
const english: ReadonlySet<Language> = new Set(['english']);

type FunctionWords = ReadonlyMap<string, readonly Language[]>;

async function detectByScript(text: string, names: readonly string[]) {
  const words = wordsOf(text);
  const known = names.filter(isLanguage);
  const scripts = scriptsOf(words);
  const tables = await loadFunctionWords(scripts);
  const votes = countVotes(toVotingWords(words, tables));
  const detected = scripts.map((script) => detectLanguages({ votes, known }, script));
  return { scripts, detected, tables };
}

function scriptsOf(words: readonly string[]): Script[] {
  const found = new Set(readWords(words).map(({ script }) => script));
  return [...found].filter((script) => script !== null);
}

async function loadFunctionWords(scripts: readonly Script[]): Promise<FunctionWords[]> {
  if (scripts.every((script) => script === 'latin')) return [functionWords];
  const { otherScriptFunctionWords } = await import('./function-words-of-other-scripts.ts');
  return [functionWords, otherScriptFunctionWords];
}

function toVotingWords(words: readonly string[], tables: readonly FunctionWords[]): VotingWord[] {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  const found = findFunctionWords([...counts.keys()].flatMap(functionWordForms), tables);
  return Array.from(counts, ([word, count]) => {
    const spokenIn = new Set(functionWordForms(word).flatMap((form) => found.get(form) ?? []));
    return { word, count, spokenIn };
  });
}

/** What may be a function word of a word: itself, and the parts that apostrophes join. */
function functionWordForms(word: string): string[] {
  const parts = word.split(/['’]/).filter((part) => part.length > 1);
  return [...parts, withoutContraction(word)];
}

/** "I'd" and "I'll" as "I": without the apostrophe, they are other words. */
function withoutContraction(word: string): string {
  return withoutApostrophes(word.replace(/^(i)['’](?:d|ll)$/, '$1'));
}

/** Apostrophes stand within words that function words are known without: "don't". */
function withoutApostrophes(word: string): string {
  return word.replace(/['’]/g, '');
}

/** The function words among these words, with their languages. */
function findFunctionWords(
  words: readonly string[],
  tables: readonly FunctionWords[],
): FunctionWords {
  const found = new Map<string, readonly Language[]>();
  for (const { written, folded } of readWords(words)) {
    const languages = tables.find((table) => table.has(folded))?.get(folded);
    if (languages !== undefined) found.set(written, languages);
  }
  return found;
}

function dropFunctionWords(
  words: readonly string[],
  { tables, spoken }: { tables: readonly FunctionWords[]; spoken: ReadonlySet<Language> },
): string[] {
  const found = findFunctionWords(words.map(withoutContraction), tables);
  return words.filter((word) => {
    const languages = found.get(withoutContraction(word)) ?? [];
    return !languages.some((language) => spoken.has(language));
  });
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
