import { limits } from '../../contract/limits.ts';
import { readChars } from '../../contract/schemas/text.ts';

/** Longer texts may hold a paste. */
const usualChars = 400;

/** Whether a text is as short as most questions are. */
export function isUsualQuestion(text: string): boolean {
  return text.length <= usualChars && readChars(text) <= limits.query_max_chars;
}
