import { countLatinVotes } from '../../core/language/resolve-languages.ts';
import type { EnglishTable } from '../../providers/models/static/english-table.ts';
import type { OtherLanguagesTable } from '../../providers/models/static/other-languages-table.ts';
import {
  embedOtherLanguage,
  embedStatically,
  knownShareMin,
} from '../../providers/models/static/static-embedder.ts';

/** Gives a text its vector; null if its words or its language are not known. */
export type TextEmbedder = (text: string) => Float32Array | null;

/**
 * Embeds a text with the table of its language, and calls `openOthers` with the first text that is
 * not in English. All vectors are in one space, so a question may find memories in any language.
 */
export function createTextEmbedder(
  english: EnglishTable,
  openOthers: () => OtherLanguagesTable | null,
): TextEmbedder {
  let others: OtherLanguagesTable | null | undefined;
  const texts = new Map<string, Float32Array | null>();
  const words = new Map<string, Float32Array | null>();

  return (whole) => {
    const text = whole.slice(0, embeddedChars);
    const [cache, max] =
      text.length <= wordMaxChars ? [words, cachedWordsMax] : [texts, cachedTextsMax];
    const vector = cache.get(text);
    if (vector !== undefined) return vector;
    const embedding = embed(text);
    if (cache.size >= max) cache.clear();
    cache.set(text, embedding);
    return embedding;
  };

  function embed(text: string): Float32Array | null {
    const read = english.read(text);
    const script = findOtherScript(text, read.knownShare);
    if (script === null) return embedStatically(english, text, read);
    if (others === undefined) others = openOthers();
    if (others === null || nonRussianCyrillic.test(text)) return null;
    return embedOtherLanguage(others, english, { text, knownShareMin: knownShareMins[script] });
  }
}

/** An add asks for its text three times: to judge it, to compare it and to store its vector. */
const cachedTextsMax = 64;

/**
 * Comparing a text with another asks for each of their words, of which people use few, again and
 * again. One takes a kilobyte.
 */
const cachedWordsMax = 1000;
/** A longer slice keeps the whole text in memory (V8), so it is not cached as a word. */
const wordMaxChars = 12;

/**
 * How much of a text its vector is made of: some 2,000 tokens, four times what Model2Vec reads by
 * default (`max_length=512`). The mean of more words changes little, and would take long.
 */
const embeddedChars = 8000;

/**
 * The share of its words that the table must know, or the text has no vector. In Latin letters,
 * 0.6 keeps at least 90 of 100 texts in the table's languages, but only 23 of 100 Czech ones, and 7
 * of 100 Polish or Dutch ones.
 */
const knownShareMins = { latin: 0.6, other: 0.5 };

/**
 * The script of a text that is not in English: by its letters or, where English does not know it
 * well, by its function words. Null for English. core/language counts the votes, but does not see
 * how much of a text the English table knows, which decides here.
 */
function findOtherScript(text: string, knownShare: number): 'latin' | 'other' | null {
  if (otherLetters.test(text)) {
    const other = countMatches(text, new RegExp(otherLetters, 'gu'));
    const latin = countMatches(text, /\p{Script=Latin}/gu);
    return other * latinLettersPerOther > latin ? 'other' : null;
  }
  if (knownShare >= sureEnglishMin) return null;
  // English texts hold foreign names, and "on" and "eu" are French too.
  const votes = countLatinVotes(text, { withLetters: knownShare < knownShareMin });
  const lead = knownShare < likelyEnglishMin ? 1 : 2;
  const most = Math.max(...votes.values());
  if (most < (votes.get('english') ?? 0) + lead) return null;
  return latinLanguages.some((language) => votes.get(language) === most) ? 'latin' : null;
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

const otherLetters = /[\u0400-\u045f\u3040-\u30ff\u4e00-\u9fff]/u;

/** Letters that Russian does not have: Ukrainian, Belarusian, Serbian and Macedonian ones. */
const nonRussianCyrillic = /[іїєґўјљњћђџѓќѕ]/iu;

/** A Chinese word has two letters where an English one has five. */
const latinLettersPerOther = 2;

/** No text in another language has the first share of English words, and few have the second. */
const sureEnglishMin = 0.9;
const likelyEnglishMin = 0.75;

const latinLanguages = ['german', 'french', 'spanish', 'italian', 'portuguese'] as const;

/** The languages beside English that the tables know. */
export const otherLanguages: readonly string[] = [
  ...latinLanguages,
  'russian',
  'japanese',
  'chinese',
];
