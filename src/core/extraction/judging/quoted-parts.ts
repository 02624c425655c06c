/**
 * The share of each sentence of a message that stands between quotation marks, in order, from 0 to
 * 1. A quotation may continue over several sentences.
 */
export function quotedShares(sentences: readonly string[]): number[] {
  let closing: string | null = null;
  return sentences.map((sentence) => {
    let quoted = 0;
    const chars = [...sentence];
    for (const char of chars) {
      if (closing !== null) {
        if (closing.includes(char)) closing = null;
        else quoted += 1;
      } else {
        closing = marks[char] ?? null;
      }
    }
    return chars.length === 0 ? 0 : quoted / chars.length;
  });
}

/** The mark that ends a quotation, by the mark that begins it. */
const marks: Readonly<Record<string, string>> = {
  '"': '"',
  '“': '”"',
  '„': '“”"',
  '«': '»',
  '「': '」',
  '『': '』',
};
