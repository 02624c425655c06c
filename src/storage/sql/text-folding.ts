/** One spelling of a text in all its cases and compositions. */
export function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

export function splitWords(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Scripts that write words without spaces between them: there a word is any part of the text. */
export function isUnspacedScript(word: string): boolean {
  return chineseOrJapanese.test(word) || southeastAsian.test(word);
}

const chineseOrJapanese = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const southeastAsian = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
