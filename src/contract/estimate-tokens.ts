/**
 * Estimates how many tokens a text costs a model, a little too high rather than too low, without
 * a tokenizer's megabytes of tables:
 *
 * - a run of Latin letters costs one token for each 7 of them begun, a capitalised one for each 4
 *   (names are rarer), one unlike a word (no vowel, capitals inside) two for each 3;
 * - digits cost one for each 3 begun; white space is free, but for line breaks;
 * - a run of ASCII punctuation costs two thirds of its length;
 * - letters of other alphabets cost one for each 2 begun, CJK characters one each;
 * - all else, emoji above all, costs three for each code point.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(pieces)) tokens += pieceTokens(piece);
  return Math.ceil(tokens);
}

const pieces =
  /[A-Za-z]+|\d+|[ \t]+|[\r\n]+|[!-/:-@[-`{-~]+|[\u00C0-\u024F\u0370-\u1FFF\u200C\u200D]+|./gsu;

function pieceTokens(piece: string): number {
  const first = piece.codePointAt(0) ?? 0;
  if (/^[A-Za-z]/.test(piece)) return Math.ceil(piece.length / lettersPerToken(piece));
  if (/^\d/.test(piece)) return Math.ceil(piece.length / 3);
  if (/^[ \t]/.test(piece)) return piece.length > 1 ? 1 : 0;
  if (/^[\r\n]/.test(piece)) return 1;
  if (first < 0x80) return Math.ceil((piece.length * 2) / 3);
  if (first < 0x2000) return Math.ceil(piece.length / 2);
  return isCjk(first) ? 1 : 3;
}

function lettersPerToken(letters: string): number {
  if (!/[aeiouy]/i.test(letters)) return 1.5;
  if (/^[a-z]+$/.test(letters)) return 7;
  return /^[A-Z][a-z]+$/.test(letters) ? 4 : 1.5;
}

function isCjk(codePoint: number): boolean {
  return (
    (codePoint >= 0x2e80 && codePoint <= 0x9fff) || (codePoint >= 0xac00 && codePoint < 0xd7b0)
  );
}
