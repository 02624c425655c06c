/** The words of a text in lower case, with their accents and with the apostrophes inside them. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(word) ?? [];
}

const word = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
