/**
 * The next offset of a whole word in a text whose words are separated by spaces and line ends; -1
 * if there is none. The word contains neither.
 */
export function wholeWordOffset(text: string, word: string, from: number): number {
  let at = text.indexOf(word, from);
  while (at >= 0 && !isWhole(text, at, at + word.length)) {
    at = text.indexOf(word, at + word.length);
  }
  return at;
}

function isWhole(text: string, start: number, end: number): boolean {
  const opens = start === 0 || isSeparator(text.charCodeAt(start - 1));
  return opens && (end >= text.length || isSeparator(text.charCodeAt(end)));
}

function isSeparator(code: number): boolean {
  return code === space || code === lineBreak;
}

const space = 32;
const lineBreak = 10;
