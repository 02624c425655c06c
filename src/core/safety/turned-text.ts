/**
 * What a text says backwards or with each Latin letter 13 further on (ROT13), where frequent words
 * show that it is written so.
 */
export function turnedTexts(text: string): string[] {
  return turns
    .filter(({ words }) => countDistinct(text, words) >= wordsMin)
    .map(({ turn }) => turn(text));
}

function reverse(text: string): string {
  return [...text].reverse().join('');
}

function rotate(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const code = letter.charCodeAt(0);
    return String.fromCharCode(code + ((code & 31) <= 13 ? 13 : -13));
  });
}

/** Frequent words of some length in instructions; turned, they are hardly words of any language. */
const frequentWords =
  'the and your with from this that user for are not all you previous instructions und der die nicht alle ' +
  'les vous tous des pour los las todas para usted tutte della sempre todos você';

const turns = [reverse, rotate].map((turn) => {
  const words = frequentWords.split(' ').map(turn);
  return { turn, words: new RegExp(`(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})`, 'giu') };
});

function countDistinct(text: string, words: RegExp): number {
  return new Set(text.match(words)?.map((word) => word.toLowerCase())).size;
}

/** Some turned words are words as well: "sel" is salt in French, "los" is "sol". */
const wordsMin = 2;
