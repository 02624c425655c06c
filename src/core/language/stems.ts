import { stemmer as porter } from 'stemmer';
import { fold } from './fold.ts';
import { irregular } from './irregular.ts';
import { type Language, languages, type Script, scriptOf } from './languages.ts';

/** How words are reduced to stems in the languages of a text, by their script. */
export type Stems = ReadonlyMap<Script, readonly Stemming[]>;

type Stemming = { language: Language; stem: (word: string) => string };

/** Those of English need no loading. */
export const englishStems: Stems = new Map([['latin', [{ language: 'english', stem: english }]]]);

export async function loadStems(wanted: readonly Language[]): Promise<Stems> {
  const stems = new Map<Script, Stemming[]>();
  for (const language of new Set(wanted)) {
    const { script, load } = languages[language];
    const stem = load === null ? english : stemOf(language, (await load()).stemmer);
    stems.set(script, [...(stems.get(script) ?? []), { language, stem }]);
  }
  return stems;
}

/** The terms of a memory's word, in lower case: one of each language that it may be in. */
export function stemsOf(word: string, stems: Stems): string[] {
  const script = scriptOf(word);
  const stemmings = (script !== null && stems.get(script)) || [];
  if (stemmings.length === 0) return [unstemmed(word)];
  return [...new Set(stemmings.map(({ stem }) => stem(word)))];
}

/** The terms under which a word of a question may be found, in whatever spelling it came. */
export function formsOf(word: string, stems: Stems): string[] {
  const script = scriptOf(word);
  const stemmings = (script !== null && stems.get(script)) || [];
  if (stemmings.length === 0) return [unstemmed(word)];
  const forms = stemmings.flatMap(({ language, stem }) => spellings(word, language).map(stem));
  return [...new Set(forms)];
}

function unstemmed(word: string): string {
  return withoutApostrophes(fold(word));
}

/** An apostrophe ends a genitive, or joins what is one word without it. */
function withoutApostrophes(word: string): string {
  return word.replace(/['’]s?$|['’]/g, '');
}

function english(word: string): string {
  const bare = unstemmed(word);
  return /^[a-z0-9]+$/.test(bare) ? stemmed(irregular.get(bare) ?? bare) : bare;
}

/** People use few words, again and again: to look one up takes a tenth of stemming it. */
const kept = new Map<string, string>();
const keptMax = 20_000;
/** V8 has longer parts of a text keep all of the text. */
const keptMaxChars = 12;

function stemmed(word: string): string {
  if (word.length > keptMaxChars) return porter(word);
  const known = kept.get(word);
  if (known !== undefined) return known;
  const stem = porter(word);
  if (kept.size >= keptMax) kept.clear();
  kept.set(word, stem);
  return stem;
}

function stemOf(language: Language, stemmer: (word: string) => string): (word: string) => string {
  const { joined } = languages[language];
  return (word) => {
    const bare = withoutApostrophes(joined === undefined ? word : word.replace(joined, ''));
    return fold(stemmer(bare)) || fold(bare);
  };
}

/** With and without accents, and with letters that stand for another: "Häuser" and "Haeuser". */
function spellings(word: string, language: Language): string[] {
  const { digraphs = [] } = languages[language];
  const written = digraphs.flatMap(([letter, both]) => {
    return [word.replaceAll(letter, both), word.replaceAll(both, letter)];
  });
  return [...new Set([word, fold(word), ...written])];
}
