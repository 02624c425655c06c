import type { QueryTerm } from '../ports/index.ts';
import { withCompounds } from './joined-spellings.ts';
import { englishQuery, type QueryLanguages } from './resolve-languages.ts';
import { searchWordsOf, withIdentifiers } from './signs.ts';
import { englishStemmers, queryFormsByWord, type StemmersByScript, stemsByWord } from './stems.ts';

/**
 * The index terms of a text, in order: words folded to lower case without accents and reduced to
 * their stems, scripts written without spaces cut into characters and pairs. Every term is of
 * ASCII letters and digits or characters outside ASCII. A change of them takes a higher
 * `indexTermsVersion` in the storage.
 */
export function analyze(text: string, stems: StemmersByScript = englishStemmers): string[] {
  const parts = searchWordsOf(withCompounds(withIdentifiers(text))).flatMap(splitScripts);
  const terms = stemsByWord(parts.filter(isSpaced), stems);
  return parts.flatMap((part) => terms.get(part) ?? unigramsAndBigrams(part));
}

/** The terms of a question, in English, that say what it is about. */
export function analyzeQuery(query: string): string[] {
  return queryTermsOf(query, englishQuery).flat();
}

/** The words of a question that say what it is about: function words are left out. */
export function queryTermsOf(
  query: string,
  { stems, withoutFunctionWords }: QueryLanguages,
): QueryTerm[] {
  const words = searchWordsOf(query);
  const telling = withoutFunctionWords(words);
  return queryTermsOfWords(telling.length > 0 ? telling : words, stems);
}

/**
 * The terms of the words of a question; `others` are further words that may stand for one. Names of
 * several words are phrases, and so are their terms: separated by spaces, in order.
 */
export function queryTermsOfWords(
  words: readonly string[],
  stems: StemmersByScript,
  others: OtherWords = new Map(),
): QueryTerm[] {
  // Each once: a word that is often repeated has no more to say.
  const parts = [...new Set(words.flatMap(splitScripts))];
  const othersOf = (part: string) => [...(others.get(part) ?? [])].slice(0, otherWordsMax);
  const further = [...parts.flatMap(othersOf), ...parts.filter(isPhrase)].flatMap(partsOf);
  const forms = queryFormsByWord([...parts, ...further].filter(isSpaced), stems);
  const terms = parts.flatMap((part): QueryTerm[] => {
    if (isPhrase(part)) return [phrasesOf(part, forms)];
    const own = forms.get(part);
    if (own === undefined) return bigramsOf(part).map((pair) => [pair]);
    const more = othersOf(part).flatMap((other) => phrasesOf(other, forms));
    return [[...new Set([...own, ...more])]];
  });
  const different = new Map(terms.map((term) => [term.join(), term]));
  return [...different.values()].slice(0, queryTermsMax);
}

type OtherWords = ReadonlyMap<string, ReadonlySet<string>>;

/** The phrases under which a name may be found: one for each way in which its words are read. */
function phrasesOf(name: string, forms: ReadonlyMap<string, readonly string[]>): string[] {
  const terms = partsOf(name).flatMap((part): QueryTerm[] => {
    const own = forms.get(part);
    return own === undefined ? bigramsOf(part).map((pair) => [pair]) : [own];
  });
  const ways = Math.max(0, ...terms.map(({ length }) => length));
  return Array.from({ length: ways }, (_, way) => {
    return terms.map((some) => some[way] ?? some[0]).join(' ');
  });
}

function isPhrase(part: string): boolean {
  return part.includes(' ');
}

function partsOf(name: string): string[] {
  return searchWordsOf(name).flatMap(splitScripts);
}

/** More than the names of one thing: a search looks for each. */
const otherWordsMax = 20;

/** Beyond this many, further terms of a long query no longer change what is found. */
const queryTermsMax = 64;

/** Runs of scripts without spaces, and what stands between them. */
function splitScripts(word: string): string[] {
  const parts = word.split(spacelessRun).filter((part) => part !== '');
  return parts.map((part) => (isSpaced(part) ? part.slice(0, termMaxChars) : hiraganaOf(part)));
}

/** Many words are written in either of the two: コーヒー, こーひー. */
function hiraganaOf(run: string): string {
  return run.replace(/[ァ-ヶ]/g, (sign) =>
    String.fromCharCode(sign.charCodeAt(0) - katakanaOffset),
  );
}

/** Both have their signs in one order. */
const katakanaOffset = 0x60;

function isSpaced(part: string): boolean {
  return !spacelessPattern.test(part);
}

/** Longer words are cut. */
export const termMaxChars = 64;

/**
 * Scripts written without spaces: pairs of characters find more than whole runs do. A text also has
 * its characters as terms, so that a question of one character finds it.
 */
const spacelessScripts = [
  'Han',
  'Hiragana',
  'Katakana',
  'Hangul',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
];
const spacelessClass = `[${spacelessScripts.map((script) => `\\p{Script=${script}}`).join('')}ー々]`;
const spacelessPattern = new RegExp(spacelessClass, 'u');
const spacelessRun = new RegExp(`(${spacelessClass}+)`, 'u');

function unigramsAndBigrams(run: string): string[] {
  const characters = [...run];
  return characters.length === 1 ? characters : [...characters, ...bigramsOf(run)];
}

function bigramsOf(run: string): string[] {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
