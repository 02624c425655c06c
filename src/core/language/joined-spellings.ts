import { foldText } from './words.ts';

/**
 * Adds to what is written in parts how it is written as one: "wi-fi" and `wifi`, "node.js" and
 * `nodejs`, "p.m." and `pm`, and to a phone number the digits by which it is known.
 */
export function withCompounds(text: string): string {
  return joiners.reduce(
    (plain, { pattern, join }) =>
      plain.replace(pattern, (match) => {
        const compound = join(match);
        return compound === null ? match : `${match} ${compound}`;
      }),
    foldText(text),
  );
}

/** The compounds and phone numbers of a text, each with its parts. */
export function findCompounds(text: string): { parts: string[]; compound: string }[] {
  const plain = foldText(text);
  return joiners.flatMap(({ pattern, join }) =>
    (plain.match(pattern) ?? []).flatMap((match) => {
      const compound = join(match);
      return compound === null ? [] : [{ parts: match.match(wordPattern) ?? [], compound }];
    }),
  );
}

const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;
/** Words of alphabets, joined without spaces; begins where a word begins, so that it is linear. */
const compoundPattern = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:[-‐_.&][\p{L}\p{N}\p{M}]+)+/gu;
const partsMax = 4;
const compoundMaxChars = 32;

function joinCompound(match: string): string | null {
  const parts = match.match(wordPattern) ?? [];
  const compound = parts.join('');
  const isWord = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(compound);
  const isShort = parts.length <= partsMax && compound.length <= compoundMaxChars;
  return isWord && isShort ? compound : null;
}

const phonePattern = /(?<![\p{L}\p{N}])\+?\(?\d[\d ()./-]{5,22}\d(?![\p{L}\p{N}])/gu;

/**
 * The last nine digits, which stay the same with and without the code of the country or of the
 * trunk; null for what is not like a phone number, such as a date.
 */
function phoneKey(match: string): string | null {
  const groups = match.match(/\d+/g) ?? [];
  const digits = groups.join('');
  const isDate = /^(?:\d{4} \d\d? \d\d?|\d\d? \d\d? \d{4})$/.test(groups.join(' '));
  const isKnown = groups.length === 1 && digits.length <= phoneKeyChars;
  if (isDate || isKnown || digits.length < 7 || digits.length > 15) return null;
  return digits.slice(-phoneKeyChars);
}

const phoneKeyChars = 9;

const joiners = [
  { pattern: compoundPattern, join: joinCompound },
  { pattern: phonePattern, join: phoneKey },
];
