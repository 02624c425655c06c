/** One spelling for all cases and compositions of a text: "STRASSE" and "straße", "İ" and "i". */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('i\u0307', 'i').replaceAll('ß', 'ss');
}

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Scripts without spaces between words, in which any part of a text counts as a word. */
export function isUnspacedScript(word: string): boolean {
  return chineseOrJapanese.test(word) || southeastAsian.test(word);
}

const chineseOrJapanese = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const southeastAsian = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
