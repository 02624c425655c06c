import { stemmer as porter } from 'stemmer';
import { homographs, irregularForms } from './irregular-forms.ts';
import { type Language, languages } from './languages.ts';
import { foldWord, readWords, type Script, type Word } from './words.ts';

/** How words are reduced to stems in the languages of a text, by their script. */
export type StemmersByScript = ReadonlyMap<Script, readonly LanguageStemmer[]>;

type LanguageStemmer = {
  /** The terms of a word of a memory: two where it is a form of two words. */
  stems: (word: Word) => string[];
  /** The terms that a word of a question may match, in each of its spellings. */
  forms: (word: Word) => string[];
};

/** The English stemmer needs no loading. */
const englishStemmer: LanguageStemmer = { stems: stemsOfEnglish, forms: stemsOfEnglish };
export const englishStemmers: StemmersByScript = new Map([['latin', [englishStemmer]]]);

export async function loadStemmers(wanted: readonly Language[]): Promise<StemmersByScript> {
  const stems = new Map<Script, LanguageStemmer[]>();
  for (const language of new Set(wanted)) {
    const { script, load } = languages[language];
    const one = load === null ? englishStemmer : createStemmer(language, (await load()).stemmer);
    stems.set(script, [...(stems.get(script) ?? []), one]);
  }
  return stems;
}

type TermsByWord = ReadonlyMap<string, readonly string[]>;

/** The terms of each word of a memory, in each language that it may be in. */
export function stemsByWord(words: readonly string[], stems: StemmersByScript): TermsByWord {
  return termsByWord(words, stems, (stemmer, word) => stemmer.stems(word));
}

/** The terms under which each word of a question may be found. */
export function queryFormsByWord(words: readonly string[], stems: StemmersByScript): TermsByWord {
  return termsByWord(words, stems, ({ forms }, word) => forms(word));
}

function termsByWord(
  words: readonly string[],
  stems: StemmersByScript,
  termsIn: (stemmer: LanguageStemmer, word: Word) => string[],
): TermsByWord {
  const terms = new Map<string, readonly string[]>();
  for (const word of readWords(words)) {
    const stemmers = (word.script !== null && stems.get(word.script)) || [];
    const stemmed = stemmers.flatMap((stemmer) => termsIn(stemmer, word));
    terms.set(
      word.written,
      stemmers.length === 0 ? [withoutApostrophes(word.folded)] : [...new Set(stemmed)],
    );
  }
  return terms;
}

/** An apostrophe ends a genitive, or joins what is one word without it. */
function withoutApostrophes(word: string): string {
  return word.replace(/['’]s?$|['’]/g, '');
}

function stemsOfEnglish({ folded }: Word): string[] {
  const bare = withoutApostrophes(folded);
  if (!/^[a-z0-9]+$/.test(bare)) return [bare];
  const stem = stemCached(irregularForms.get(bare) ?? bare);
  return homographs.has(bare) ? [stem, stemCached(bare)] : [stem];
}

/** People use few words, again and again: to look one up takes a tenth of stemming it. */
const stemCache = new Map<string, string>();
const stemCacheMax = 20_000;
/** V8 has longer parts of a text keep all of the text. */
const cachedMaxChars = 12;

function stemCached(word: string): string {
  if (word.length > cachedMaxChars) return porter(word);
  const cached = stemCache.get(word);
  if (cached !== undefined) return cached;
  const stem = porter(word);
  if (stemCache.size >= stemCacheMax) stemCache.clear();
  stemCache.set(word, stem);
  return stem;
}

/** The one of Bulgarian throws at words of some endings, where it changes a letter in place. */
function tryStem(stemmer: (word: string) => string, word: string): string {
  try {
    return stemmer(word);
  } catch {
    return word;
  }
}

function createStemmer(language: Language, stemmer: (word: string) => string): LanguageStemmer {
  const { affix } = languages[language];
  const stem = (word: string) => {
    const bare = withoutApostrophes(affix === undefined ? word : word.replace(affix, ''));
    return foldWord(tryStem(stemmer, bare)) || foldWord(bare);
  };
  return {
    stems: ({ written }) => [stem(written)],
    forms: (word) => spellingVariants(word, language).map(stem),
  };
}

/** With and without accents, and with letters that stand for another: "Häuser" and "Haeuser". */
function spellingVariants({ written, folded }: Word, language: Language): string[] {
  const { digraphs = [] } = languages[language];
  const others = digraphs.flatMap(([letter, both]) => {
    return [written.replaceAll(letter, both), written.replaceAll(both, letter)];
  });
  return [...new Set([written, folded, ...others])];
}
