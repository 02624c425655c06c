import { stemmer } from 'stemmer';
import { irregular } from './irregular.ts';

/**
 * The index terms of a text, in order: words folded to lower case without accents, English words
 * reduced to their stem (Porter), scripts written without spaces cut into characters and pairs.
 * Every term is of ASCII letters and digits or characters outside ASCII.
 */
export function analyze(text: string): string[] {
  return wordsOf(text).flatMap((word) => termsOf(word, charactersAndPairs));
}

/** The terms of a question that say what it is about: function words are left out. */
export function analyzeQuery(query: string): string[] {
  const words = wordsOf(query);
  const telling = words.filter((word) => !stopWords.has(word));
  const asked = telling.length > 0 ? telling : words;
  const terms = asked.flatMap((word) => termsOf(word, pairsOf));
  return [...new Set(terms)].slice(0, queryTermsMax);
}

/** Beyond this many, further terms of a long query no longer change what is found. */
const queryTermsMax = 64;

/** Combining accents of Latin, Greek and Cyrillic; those of other scripts carry meaning. */
const accents = /[\u0300-\u036F]/g;
const word = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

function wordsOf(text: string): string[] {
  const folded = text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
  return folded.match(word)?.map((found) => found.replace(/['’]s?$|['’]/g, '')) ?? [];
}

type Cut = (run: string) => string[];

function termsOf(word: string, cut: Cut): string[] {
  if (/^[a-z0-9]+$/.test(word)) return [stemOf(word.slice(0, termMaxChars))];
  return word.split(spacelessRun).flatMap((part) => {
    if (part === '') return [];
    return spaceless.test(part) ? cut(part) : [part.slice(0, termMaxChars)];
  });
}

const termMaxChars = 64;

function stemOf(word: string): string {
  return stemmer(irregular.get(word) ?? word);
}

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

/** English function words, apostrophes removed: how a question is put, not what it asks. */
const stopWords = new Set(
  `a about above after again against all am an and any are arent as at be because been before being
  below between both but by can cant could couldnt did didnt do does doesnt doing dont down during
  each ever few for from further get got had hadnt has hasnt have havent having he her here hers
  herself him himself his how i id if ill im in into is isnt it its itself ive just let lets many
  may me might more most much must my myself no nor not of off on once only or other our ours
  ourselves out over own same shall she should shouldnt so some such tell than that thats the their
  theirs them themselves then there theres these they theyd theyll theyre theyve this those through
  to too under until up us very was wasnt we were werent weve what whats when where which while who
  whom whose why will with wont would wouldnt you youd youll your youre yours yourself yourselves
  youve`.split(/\s+/),
);
