/**
 * A word without case and without accents, so that "Café" and "cafe" are one: letters that others
 * write with accents or as two. Accents of Latin, Greek and Cyrillic only; marks of other scripts
 * carry meaning.
 */
export function foldWord(word: string): string {
  if (isPlain.test(word)) return word;
  const bare = word.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase();
  return bare.replace(specialLetters, (letter) => plainSpellings[letter] ?? letter);
}

const isPlain = /^[a-z0-9]*$/;
const accents = /[\u0300-\u036F]/g;

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
};
const specialLetters = new RegExp(`[${Object.keys(plainSpellings).join('')}]`, 'g');
