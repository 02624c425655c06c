import type { MemoryType } from '../../contract/schemas/memory.ts';
import { missingApostrophe } from './languages/en/third-person.ts';
import type { LanguageRules } from './languages/rules.ts';

/** The kind of a statement, by its wording. */
export function memoryTypeOf(sentence: string, { types }: LanguageRules): MemoryType {
  const text = sentence.replace(missingApostrophe, "I'$<rest>");
  return types.find(([, pattern]) => pattern.test(text))?.[0] ?? 'fact';
}
