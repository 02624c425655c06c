import { oneLine } from '../../contract/schemas/text.ts';

/**
 * A stored text on one line that can do nothing to a terminal: control characters and marks of the
 * writing direction become visible signs.
 */
export function printableLine(text: string): string {
  return printable(oneLine(text).replaceAll('\t', ' '));
}

/** A text for a terminal; right-to-left letters in it cannot reorder what stands beside it. */
export function isolateDirection(text: string): string {
  return rightToLeft.test(text) ? `${isolateStart}${text}${isolateEnd}` : text;
}

/** The same with its own lines. */
export function printable(text: string): string {
  return text.replace(controls, (sign) => {
    const code = sign.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(controlPictures + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });
}

/** Controls of C0 (except tab and line feed) and C1, lone surrogates, marks of direction. */
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|\p{Surrogate}/gu;

/** The block of Unicode with a picture of each control character of C0. */
const controlPictures = 0x2400;

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const isolateStart = '\u2068';
const isolateEnd = '\u2069';
