import * as z from 'zod';
import { limits } from '../limits.ts';

/**
 * Characters that people do not see while models read them, and those that steer terminals: all
 * controls but tab and newline, and what Unicode calls default ignorable.
 */
const hiddenCharacter = '(?![\\t\\n])[\\p{Cc}\\p{Default_Ignorable_Code_Point}]';

const emoji = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]';

const rightToLeft = '[\\p{scx=Arab}\\p{scx=Hebr}\\p{scx=Nkoo}\\p{scx=Syrc}\\p{scx=Thaa}]';

const directionMark = '[\\u061C\\u200E\\u200F]';

/** Letters of scripts whose shapes depend on joiners. */
const joiningLetter =
  '[\\p{scx=Arab}\\p{scx=Beng}\\p{scx=Deva}\\p{scx=Gujr}\\p{scx=Guru}\\p{scx=Khmr}\\p{scx=Knda}' +
  '\\p{scx=Mlym}\\p{scx=Mong}\\p{scx=Mymr}\\p{scx=Nkoo}\\p{scx=Orya}\\p{scx=Sinh}\\p{scx=Syrc}' +
  '\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Tibt}]';

/** The places where writing needs a hidden character: one at a time, beside what it shapes. */
const neededHidden = [
  '(?<=\\p{Emoji})[\\uFE0E\\uFE0F]', // text or picture
  `(?<=${emoji}\\uFE0F?)\\u200D(?=\\p{Extended_Pictographic})`, // families
  `(?<=${joiningLetter})[\\u200C\\u200D]`,
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]', // forms of a character
  '(?<=[\\u1820-\\u18AA])[\\u180B-\\u180F]', // forms of Mongolian letters
  '\\u115F(?=[\\u1161-\\u11A7])|(?<=[\\u1100-\\u115E])\\u1160(?=[\\u11A8-\\u11FF])', // old Hangul
  `(?<=${rightToLeft}.{0,3})${directionMark}|${directionMark}(?=.{0,3}${rightToLeft})`,
];

const flagOfRegion = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}';

const hiddenOrNeeded = new RegExp(
  `(${flagOfRegion}|(?=${hiddenCharacter})(?:${neededHidden.join('|')}))|${hiddenCharacter}`,
  'gu',
);

const anyHidden = new RegExp(hiddenCharacter, 'u');

/**
 * Text as stored: well-formed Unicode with `\n` as line ends, without hidden characters but those
 * that emoji and some scripts need.
 */
export function cleanText(text: string): string {
  const formed = text.toWellFormed().replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  return anyHidden.test(formed) ? formed.replace(hiddenOrNeeded, '$1') : formed;
}

/** Text of nothing but white space and invisible characters, such as joiners. */
const invisibleOnly = /^[\s\p{Cf}]*$/u;

/** Text of a memory: 1 to 32,000 characters after cleaning. */
export const MemoryText = memoryText();

/** The same, with advice on what to do with a longer text. */
export function memoryText(advice?: string) {
  const { memory_text_max_chars: max } = limits;
  return z
    .string()
    .overwrite((text) => cleanText(text).trim())
    .min(1, { error: 'must hold text', abort: true })
    .refine((text) => !invisibleOnly.test(text), { error: 'must hold text', abort: true })
    .max(max, { ...tooLongError(max, advice), abort: true });
}

/** An identifier chosen by the caller: 1 to 255 visible characters. */
export const Id = z
  .string()
  .min(1, 'must not be empty')
  .max(limits.id_max_chars, tooLongError(limits.id_max_chars))
  .refine(
    (id) => cleanText(id) === id && !/[\n\t]/.test(id),
    'must not hold control or hidden characters',
  )
  .refine((id) => id.trim() === id, 'must not start or end with white space');

/** A UUID, any version, any case. */
export function uuid(field: string) {
  return z.guid(`${field} should be a valid UUID`).toLowerCase();
}

/** Error option that states the length of the text and the limit, and perhaps a way out. */
export function tooLongError(max: number, advice?: string) {
  const limit = `at most ${max}`;
  const end = advice === undefined ? '' : `; ${advice}`;
  return {
    error: ({ input }: { input?: unknown }) =>
      typeof input === 'string'
        ? `holds ${input.length} characters; ${limit}${end}`
        : `${limit} characters${end}`,
  };
}

/** The way out for a text that is too long for one message. */
export const severalMessages = 'send it as several messages';

/** What a search looks for: 1 to 2,000 characters beside white space at both ends. */
export const QueryText = z
  .string()
  .trim()
  .min(1, 'must hold text')
  .max(limits.query_max_chars, tooLongError(limits.query_max_chars));
