import { foldText, splitFolded } from './words.ts';

/**
 * The words of a text as a search tells them apart: with the signs that are part of a word ("C++",
 * "A-", ".NET", "-18", "1.2.0", "5%", emoji). A letter or two with a sign is another word than
 * without it, and so is a number below zero; a longer word or a number with a sign is found without
 * it too. In lower case, with accents; a sign is written as one that no text is cut at.
 */
export function searchWordsOf(text: string): string[] {
  const plain = foldText(text);
  if (!anySign.test(plain)) return splitFolded(plain);
  return (plain.match(signedWordPattern) ?? []).flatMap(readSigns);
}

/** Signs as they stand in words: no letters, and none that case or compatibility would change. */
const signs: Readonly<Record<string, string>> = {
  '+': '⊕',
  '-': '⊖',
  '−': '⊖',
  '.': '⊙',
  '#': '♯',
  '%': '٪',
  $: '⊛',
};

const emoji = String.raw`\p{RI}\p{RI}|\p{Extended_Pictographic}`;
const letter = String.raw`[\p{L}\p{N}\p{M}]`;
const word = String.raw`[\p{L}\p{N}]${letter}*(?:['’][\p{L}\p{M}]+)*`;
const number = String.raw`\d+(?:\.\d+)*`;
/** Not after a word: there, a hyphen or a full stop joins or ends. */
const isApart = String.raw`(?<![^\s(\[{:=,;/"'$€£¥])`;

/** Most texts have none: they are read as plain words. */
const anySign = new RegExp(
  String.raw`[+#%$€£¥]|\d\.\d|${isApart}[-−.](?=\d|\.?\p{L})|\p{L}[-−](?![\p{L}\p{N}-])|${emoji}`,
  'u',
);

const signedWordPattern = new RegExp(
  [
    `[$€£¥]${number}(?!${letter})`,
    String.raw`${isApart}[-−]?(?:${number}|\.\d+)(?:[ \u202F]?[%€£¥$])?(?!${letter})`,
    String.raw`${isApart}\.\p{L}${letter}*`,
    String.raw`\p{L}{1,2}[-−](?!${letter}|[-−])`,
    String.raw`${word}(?:(?:\+\+?|#)(?!\p{L}))?`,
    emoji,
  ].join('|'),
  'gu',
);

function readSigns(match: string): string[] {
  if (!/[+#.%$€£¥−-]/.test(match)) return [match];
  const [, currency = '', minus, digits, unit = currency] =
    /^([$€£¥])?([-−])?(\.?\d[\d.]*)\s?([%$€£¥])?$/u.exec(match) ?? [];
  if (digits !== undefined) return readNumber(digits, { isNegative: minus !== undefined, unit });
  const signed = match.replace(/[+#.−-]/g, (sign) => signs[sign] ?? sign);
  const bare = match.replace(/[+#.−-]/g, '');
  return [...bare].length > signedLettersMax ? [bare, signed] : [signed];
}

/** "C++", "A-", "AB+": without its sign, it is something else. */
const signedLettersMax = 2;

function readNumber(
  digits: string,
  { isNegative, unit }: { isNegative: boolean; unit: string },
): string[] {
  const whole = (digits.startsWith('.') ? `0${digits}` : digits).replaceAll('.', '⊙');
  if (isNegative) return [`⊖${whole}`];
  const parts = digits.split('.');
  const plain = parts.length > 1 ? [...parts.filter((part) => part !== ''), whole] : parts;
  return unit === '' ? plain : [...plain, `${whole}${signs[unit] ?? unit}`];
}

/**
 * Adds to the names of a program's parts the words that they are made of, so that "get user by id"
 * finds `getUserById`.
 */
export function withIdentifiers(text: string): string {
  if (!/[a-z0-9][A-Z]/.test(text)) return text;
  return text.replace(/(?<![\p{L}\p{N}])[A-Za-z][A-Za-z0-9]+/gu, (match) => {
    const parts = identifierParts(match);
    return parts === null ? match : `${match} ${parts.join(' ')}`;
  });
}

/**
 * The names of a program's parts in a question, each as one word, of which no part is left out as a
 * function word: `getUserById` and `get_user_by_id`. `identifiers` has the parts of each.
 */
export function joinIdentifiers(question: string): {
  text: string;
  identifiers: ReadonlyMap<string, string>;
} {
  const identifiers = new Map<string, string>();
  if (!/[a-z0-9][A-Z]|_/.test(question)) return { text: question, identifiers };
  const text = question.replace(identifierPattern, (match) => {
    const parts = match.includes('_') ? match.split(/_+/) : identifierParts(match);
    if (parts === null) return match;
    const joined = foldText(parts.join(''));
    identifiers.set(joined, parts.join(' '));
    return joined;
  });
  return { text, identifiers };
}

const identifierPattern = /(?<![\p{L}\p{N}_])[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*/gu;

/** Null for a word, and for names such as "JavaScript", which is not about Java. */
function identifierParts(identifier: string): string[] | null {
  const parts = identifier.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  const isIdentifier = parts.length > 2 || (parts.length === 2 && /^[a-z]/.test(identifier));
  return isIdentifier && parts.length <= identifierPartsMax ? parts : null;
}

/** What has more parts is data rather than a name. */
const identifierPartsMax = 8;
