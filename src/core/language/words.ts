/** Writing whose words tell that they are of it. */
export type Script = 'latin' | 'cyrillic' | 'greek' | 'arabic' | 'devanagari';

export type Word = {
  /** In lower case, with its accents and with the apostrophes inside it. */
  written: string;
  /** As words are compared. */
  folded: string;
  /** By its first letter; null for one without stems. */
  script: Script | null;
};

/** The words of a text in lower case, with their accents and with the apostrophes inside them. */
export function wordsOf(text: string): string[] {
  return splitFolded(foldText(text));
}

/** The words of a text that is folded already. */
export function splitFolded(folded: string): string[] {
  return folded.match(wordPattern) ?? [];
}

/**
 * A text in lower case and in one form of its characters, without what does not show: joiners of
 * letters and soft hyphens. The letters that keyboards of Persian and Urdu have for those of Arabic
 * are one, and "l·l" of Catalan is "ll".
 */
export function foldText(text: string): string {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.replace(otherSpellings, (match) => textSpellings[match] ?? '');
}

const otherSpellings = /l\u00B7l|[\u00AD\u02BC\u06A9\u06C1\u06CC\u200C\u200D]/g;
const textSpellings: Readonly<Record<string, string>> = {
  l·l: 'll',
  ʼ: '’',
  ک: 'ك',
  ہ: 'ه',
  ی: 'ي',
};

/** It begins with a letter or digit: an accent that stands alone would be an empty one. */
const wordPattern = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{M}]+)*/gu;

/** What is known of each different word. */
export function readWords(words: Iterable<string>): Word[] {
  return Array.from(new Set(words), (written) => {
    return { written, folded: foldWord(written), script: scriptOf(written) };
  });
}

/**
 * A word without case and without accents, so that "Café" and "cafe" are one: letters that others
 * write with accents or as two. Also without the points of Hebrew and the dot below of Devanagari,
 * which most people leave out, and with one spelling of the letters that end Arabic words. Other
 * marks carry meaning.
 */
export function foldWord(word: string): string {
  if (isPlain.test(word)) return word;
  const bare = word.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
  return bare.replace(specialLetters, (letter) => plainSpellings[letter] ?? letter);
}

const isPlain = /^[a-z0-9]*$/;
/** The accents of Latin, Greek and Cyrillic, then those of Hebrew and Devanagari. */
const accents = /[\u0300-\u036F\u0591-\u05BD\u05BF-\u05C7\u093C]/g;

const plainSpellings: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ى: 'ي',
  ة: 'ه',
};
const specialLetters = new RegExp(`[${Object.keys(plainSpellings).join('')}]`, 'g');

function scriptOf(word: string): Script | null {
  if (/^[a-z0-9]/.test(word)) return 'latin';
  const [, script] = scripts.find(([pattern]) => pattern.test(word)) ?? [];
  return script ?? null;
}

const scripts: readonly (readonly [RegExp, Script])[] = [
  [/^\p{Script=Latin}/u, 'latin'],
  [/^\p{Script=Cyrillic}/u, 'cyrillic'],
  [/^\p{Script=Greek}/u, 'greek'],
  [/^\p{Script=Arabic}/u, 'arabic'],
  [/^\p{Script=Devanagari}/u, 'devanagari'],
];
