import { turnedTexts } from './turned-text.ts';

/**
 * A text as a person or a model reads it, and what else it holds that can be read: what is encoded,
 * hidden in invisible tags, written backwards or in rotated letters.
 */
export function plainReadings(text: string): string[] {
  const plain = plainText(text);
  const others = [
    ...hiddenTags(text),
    ...encodedTexts(text),
    ...turnedTexts(plain),
    ...spelledOut(plain),
  ];
  return [plain, ...others.map(plainText)];
}

/**
 * A text without hidden characters and marks on Latin letters, and with digits, signs and
 * look-alikes among letters read as the letters that they stand for.
 */
export function plainText(text: string): string {
  const letters = isPlainAscii.test(text) ? text : plainLetters(text);
  const joined = letters.replace(spacedLetters, joinLetters);
  const hasDigitWords = (joined.match(digitWord)?.length ?? 0) >= digitWordsMin;
  if (!hasDigitWords && !mixedScripts.test(joined)) return joined;
  return joined.replace(mixedWord, (word) => readWord(word, hasDigitWords));
}

const isPlainAscii = /^[\t\n\r\u0020-\u007e]*$/;

function plainLetters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replaceAll(/[’‘`´]/g, "'");
}

/**
 * A text with one word with a digit in it, read with a letter instead. That word may be a name,
 * such as "log4j", so the text as it is remains a reading.
 */
function spelledOut(plain: string): string[] {
  if (plain.match(digitWord)?.length !== 1) return [];
  const words = plain.replace(mixedWord, (word) => readWord(word, true));
  return words === plain ? [] : [words];
}

/** "i g n o r e", "d.e.l.e.t.e": at least four letters, each on its own. */
const spacedLetters = /(?<![\p{L}\p{N}])(?:\p{L}(?:[._*-] ?| {1,3})){3,400}\p{L}(?![\p{L}\p{N}])/gu;

/** Words are further apart than their letters, or have another mark between them. */
function joinLetters(run: string): string {
  const gap = / {2}/.test(run) ? / {2,3}/ : /[._*-]/.test(run) ? ' ' : null;
  const words = gap === null ? [run] : run.split(gap);
  return words.map((word) => word.replace(/[ ._*-]/g, '')).join(' ');
}

/** "pr3v10us": one alone may be a name, such as "b4u". */
const digitWord = /\p{L}[013457@$!|]{1,3}\p{L}/gu;
const digitWordsMin = 2;

const mixedScripts = /[a-z].{0,40}[\u0370-\u052f]|[\u0370-\u052f].{0,40}[a-z]/is;

/** Up to so many characters, because longer ones are keys and addresses rather than words. */
const mixedWord = /(?<![^\s"'([*_>:])[\p{L}\p{N}@$!|]{3,24}(?![^\s"')\]*_<.,:;?!]|\.\w)/gu;

function readWord(word: string, hasDigitWords: boolean): string {
  const isCyrillic = /[бгджзийлпфцчшщъыьэюяё]/i.test(word);
  const [bySign, byLookalike] = isCyrillic
    ? [cyrillicBySign, cyrillicByLookalike]
    : [latinBySign, latinByLookalike];
  const isSpelt = hasDigitWords && /\p{L}/u.test(word);
  // A mark at the end ends a sentence.
  const letters = isSpelt ? word.replace(signs, (one) => bySign[one] ?? one) : word;
  const isMixed = /[a-z]/i.test(letters) && /[\u0370-\u052f]/.test(letters);
  return isMixed ? letters.replace(/\p{L}/gu, (one) => byLookalike[one] ?? one) : letters;
}

const signs = /[0134567@]|[$!|](?=[\p{L}\p{N}])/gu;

const latinBySign: Readonly<Record<string, string>> = Object.fromEntries(
  ['0o', '1i', '3e', '4a', '5s', '7t', '@a', '$s', '!i', '|l'].map(([sign = '', letter = '']) => [
    sign,
    letter,
  ]),
);
const cyrillicBySign: Readonly<Record<string, string>> = Object.fromEntries(
  ['0о', '1и', '3е', '4ч', '6б', '@а', '$с'].map(([sign = '', letter = '']) => [sign, letter]),
);

/** Pairs of a letter of another script and the Latin one that looks like it. */
const lookalikes = [
  ...'ӏlаaеeоoрpсcхxуyіiѕsјjԁdһhкkмmтtвbнhАAЕEОOРPСCХXУYІIЅSКKМMТTВBНHοoαaνvρpιiΑAΕEΟO'.matchAll(
    /(.)(.)/gu,
  ),
].map(([, other = '', latin = '']) => ({ other, latin }));

const latinByLookalike: Readonly<Record<string, string>> = Object.fromEntries(
  lookalikes.map(({ other, latin }) => [other, latin]),
);
/** Cyrillic ones stand first, so they are what remains. */
const cyrillicByLookalike: Readonly<Record<string, string>> = Object.fromEntries(
  lookalikes.toReversed().map(({ other, latin }) => [latin, other]),
);

/** Characters of the block of tags, which no reader sees, as the ASCII that they stand for. */
function hiddenTags(text: string): string[] {
  const tags = text.match(/[\u{e0020}-\u{e007e}]+/gu) ?? [];
  const hiddenText = tags.join('').replace(/./gu, (tag) => {
    return String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000);
  });
  return hiddenText === '' ? [] : [hiddenText];
}

/** The decoded parts of a text that are in base64, hexadecimal digits or escapes. */
function encodedTexts(text: string): string[] {
  const runs = text.match(encodedRun) ?? [];
  return runs
    .slice(0, encodedMax)
    .map(decode)
    .filter(
      (decoded) => readable.test(decoded) && /\p{L}[^\n]{0,200} [^\n]{0,200}\p{L}/u.test(decoded),
    );
}

/** Base64, digits in pairs, "%69", "\x69", "\u0069" and "&#105;"; so many that they hold words. */
const encodedRun =
  /[A-Za-z0-9+/_-]{16,4000}={0,2}|(?:[0-9a-f]{2}[ :]){11,1000}[0-9a-f]{2}|(?:(?:%|\\x|\\u00|&#x?)[0-9a-f]{2,3};?){8,1000}/gi;

const encodedMax = 20;

const readable = /^[\p{L}\p{M}\p{P}\p{Zs}\p{N}\p{S}\n]+$/u;

function decode(run: string): string {
  if (/^&#\d/.test(run)) {
    return run.replace(/&#(\d{2,3});?/g, (_, code) => String.fromCharCode(Number(code)));
  }
  const digits = run.replace(/%|\\x|\\u00|&#x|[ :;]/gi, '');
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(digits);
  return isHex
    ? Buffer.from(digits, 'hex').toString('utf8')
    : Buffer.from(run, 'base64').toString('utf8');
}
