/** The words of a text in lower case, with their accents and with the apostrophes inside them. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(wordPattern) ?? [];
}

const wordPattern = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
