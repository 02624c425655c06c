import * as z from 'zod';
import { isObject } from '../is-object.ts';
import { limits } from '../limits.ts';

/** Signs of the category Cf that are drawn: they stand around the number behind them. */
const drawnFormat =
  '\\u0600-\\u0605\\u06DD\\u070F\\u0890\\u0891\\u08E2\\u{110BD}\\u{110CD}\\u{13430}-\\u{1343F}';

/**
 * Characters that people do not see while models read them, and those that steer terminals: all
 * controls but tab and newline, what Unicode calls default ignorable, formats, what is for private
 * use or never a character, and the symbols that are blank: one of Braille and one of music. What
 * is not assigned stays: later versions of Unicode draw it.
 */
const hiddenCharacter =
  `(?![\\t\\n${drawnFormat}])` +
  '[\\p{Cc}\\p{Cf}\\p{Co}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}' +
  '\\u2800\\u{1D159}]';

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
  '(?<=[\\u2801-\\u28FF])\\u2800(?=[\\u2801-\\u28FF])', // the space of Braille
  `(?<=${rightToLeft}.{0,3})${directionMark}|${directionMark}(?=.{0,3}${rightToLeft})`,
];

const flagOfRegion = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}';

const hiddenOrNeeded = new RegExp(
  `(${flagOfRegion}|(?=${hiddenCharacter})(?:${neededHidden.join('|')}))|${hiddenCharacter}`,
  'gu',
);

const anyHidden = new RegExp(hiddenCharacter, 'u');

/** Most texts are found to need nothing in a sixth of the time. */
const plainText = /^[\t\n\x20-\x7E]*$/;

/**
 * Text as stored: well-formed Unicode with `\n` as line ends, without hidden characters but those
 * that emoji and some scripts need.
 */
export function cleanText(text: string): string {
  if (plainText.test(text)) return text;
  const formed = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n');
  return anyHidden.test(formed) ? formed.replace(hiddenOrNeeded, '$1') : formed;
}

/** The same on one line, without white space at its ends, as where it names something. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\t\n]+/g, ' ')
    .trim();
}

/** Every character that some reader treats as the end of a line. */
export const lineEnds = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** Text on one line. */
export function oneLine(text: string): string {
  return text.split(lineEnds).join(' ');
}

/** JSON as stored: its texts are clean, and its keys names. */
export function cleanJson<T>(value: T): T {
  return cleaned(value) as T; // of the same shape
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [cleanLine(key), cleaned(child)]),
  );
}

/** JSON with what hides or steers in its texts as escapes, which lose nothing. */
export function escapeHidden(json: string): string {
  return json
    .replace(hiddenOrNeeded, (match, needed?: string) => needed ?? escapeUnits(match))
    .replace(/[\u2028\u2029]/g, escapeUnits);
}

function escapeUnits(text: string): string {
  return text.replace(
    /[\s\S]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A name, as everything has one that is stored: one clean line that holds something. */
export function nameText(max: number) {
  const empty = 'must not be empty';
  return z.string().overwrite(cleanLine).regex(/\S/, empty).max(max, tooLongError(max));
}

/** Text that may have several lines, such as a description or instructions. */
export function freeText(max: number) {
  return z
    .string()
    .overwrite(cleanText)
    .check(...charsAtMost(max));
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
    .check(...charsAtMost(max, advice));
}

/** Whether a text has neither hidden characters nor lines. */
export function isVisible(text: string): boolean {
  return cleanText(text) === text && !/[\n\t]/.test(text);
}

/**
 * Characters that identifiers cannot hold, in ranges that regular expressions of other languages
 * read: controls, line breaks, halves of characters, and hidden characters that no script needs.
 */
const neverInIds =
  '\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u034F\\u17B4\\u17B5\\u200B\\u2028-\\u202E\\u2060-\\u206F' +
  '\\u3164\\uD800-\\uDFFF\\uFE03-\\uFE0D\\uFEFF\\uFFA0\\uFFF0-\\uFFF8' +
  '\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E002F}\u{E0080}-\u{E00FF}\u{E01F0}-\u{E0FFF}';

const visibleId = new RegExp(`^[^\\s${neverInIds}](?:[^${neverInIds}]*[^\\s${neverInIds}])?$`, 'u');

const hiddenInId = 'must not hold control or hidden characters';

/** An identifier chosen by the caller: 1 to 255 visible characters, composed (NFC). */
export const Id = z
  .string()
  .overwrite((id) => id.normalize('NFC'))
  .min(1, { error: 'must not be empty', abort: true })
  .max(limits.id_max_chars, tooLongError(limits.id_max_chars))
  .regex(visibleId, {
    error: ({ input }) =>
      input === String(input).trim() ? hiddenInId : 'must not start or end with white space',
    abort: true,
  })
  // Joiners and the like, where nothing needs them.
  .refine(isVisible, hiddenInId);

/** A UUID, any version, any case. */
export function uuid(field: string) {
  return z.guid(`${field} should be a valid UUID`).toLowerCase();
}

/**
 * The checks of a text that is read for its words, so that what it costs follows from its length:
 * also as it is read, where Unicode writes many letters as one ("ﷺ" is 18).
 */
export function charsAtMost(max: number, advice?: string) {
  const { error } = tooLongError(max, advice);
  return [
    z.maxLength(max, { error, abort: true }),
    z.refine<string>((text) => readChars(text) <= max, {
      error: ({ input }) =>
        `${error({ input: String(input).normalize('NFKC') })} once normalized (NFKC)`,
      abort: true,
    }),
  ] as const;
}

/** The characters of a text, or those that it has as it is read (NFKC) if these are more. */
export function readChars(text: string): number {
  return isAscii.test(text) ? text.length : Math.max(text.length, text.normalize('NFKC').length);
}

const isAscii = /^[\0-\x7f]*$/;

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

/**
 * The query of a search: a question, alone or in a message with a paste. A search uses only the
 * question of a long text.
 */
export const QueryText = z
  .string()
  .trim()
  .regex(/\S/, 'must hold text')
  .check(...charsAtMost(limits.message_max_chars));
