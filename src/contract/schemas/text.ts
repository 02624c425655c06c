import * as z from 'zod';
import { limits } from '../limits.ts';

/**
 * Characters that are never stored: C0 controls except tab and newline, DEL, the Unicode tag block,
 * and bidirectional overrides and isolates. They hide text from people while models still read it.
 * Joiners stay, because emoji and Persian need them.
 */
const invisibleCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
  /[\u0000-\u0008\u000B-\u001F\u007F\u202A-\u202E\u2066-\u2069]|[\u{E0000}-\u{E007F}]/gu;

/** Text as stored: well-formed Unicode without invisible characters, with `\n` as line ends. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(invisibleCharacters, '');
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
  .refine((id) => cleanText(id) === id && !/[\n\t]/.test(id), 'must not hold control characters')
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
