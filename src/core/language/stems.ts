import { stemmer as porter } from 'stemmer';
import { foldWord } from './fold.ts';
import { irregularForms } from './irregular-forms.ts';
import { type Language, languages, type Script, scriptOf } from './languages.ts';

/** How words are reduced to stems in the languages of a text, by their script. */
export type StemmersByScript = ReadonlyMap<Script, readonly LanguageStemmer[]>;

type LanguageStemmer = { language: Language; stem: (word: string) => string };

/** Those of English need no loading. */
export const englishStemmers: StemmersByScript = new Map([
  ['latin', [{ language: 'english', stem: stemEnglish }]],
]);

export async function loadStemmers(wanted: readonly Language[]): Promise<StemmersByScript> {
  const stems = new Map<Script, LanguageStemmer[]>();
  for (const language of new Set(wanted)) {
    const { script, load } = languages[language];
    const stem = load === null ? stemEnglish : createStemmer(language, (await load()).stemmer);
    stems.set(script, [...(stems.get(script) ?? []), { language, stem }]);
  }
  return stems;
}

/** The terms of a memory's word, in lower case: one of each language that it may be in. */
export function stemsOf(word: string, stems: StemmersByScript): string[] {
  const script = scriptOf(word);
  const stemmings = (script !== null && stems.get(script)) || [];
  if (stemmings.length === 0) return [unstemmed(word)];
  return [...new Set(stemmings.map(({ stem }) => stem(word)))];
}

/** The terms under which a word of a question may be found, in whatever spelling it came. */
export function queryFormsOf(word: string, stems: StemmersByScript): string[] {
  const script = scriptOf(word);
  const stemmings = (script !== null && stems.get(script)) || [];
  if (stemmings.length === 0) return [unstemmed(word)];
  const forms = stemmings.flatMap(({ language, stem }) =>
    spellingVariants(word, language).map(stem),
  );
  return [...new Set(forms)];
}

function unstemmed(word: string): string {
  return withoutApostrophes(foldWord(word));
}

/** An apostrophe ends a genitive, or joins what is one word without it. */
function withoutApostrophes(word: string): string {
  return word.replace(/['’]s?$|['’]/g, '');
}

function stemEnglish(word: string): string {
  const bare = unstemmed(word);
  return /^[a-z0-9]+$/.test(bare) ? stemCached(irregularForms.get(bare) ?? bare) : bare;
}

/** People use few words, again and again: to look one up takes a tenth of stemming it. */
const stemCache = new Map<string, string>();
const stemCacheMax = 20_000;
/** V8 has longer parts of a text keep all of the text. */
const cachedMaxChars = 12;

function stemCached(word: string): string {
  if (word.length > cachedMaxChars) return porter(word);
  const known = stemCache.get(word);
  if (known !== undefined) return known;
  const stem = porter(word);
  if (stemCache.size >= stemCacheMax) stemCache.clear();
  stemCache.set(word, stem);
  return stem;
}

function createStemmer(
  language: Language,
  stemmer: (word: string) => string,
): (word: string) => string {
  const { affix } = languages[language];
  return (word) => {
    const bare = withoutApostrophes(affix === undefined ? word : word.replace(affix, ''));
    return foldWord(stemmer(bare)) || foldWord(bare);
  };
}

/** With and without accents, and with letters that stand for another: "Häuser" and "Haeuser". */
function spellingVariants(word: string, language: Language): string[] {
  const { digraphs = [] } = languages[language];
  const written = digraphs.flatMap(([letter, both]) => {
    return [word.replaceAll(letter, both), word.replaceAll(both, letter)];
  });
  return [...new Set([word, foldWord(word), ...written])];
}
