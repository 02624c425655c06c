import type { LanguageRules } from '../languages/rules.ts';

/**
 * Where a text moves something to another day ("from 3 to 17 December", "postponed until Friday"),
 * the text from the new day on. The new day is to come, even if the verb is in the past, and the
 * old one no longer counts. Null for other texts.
 */
export function movedTo(text: string, { dates }: LanguageRules): string | null {
  return dates.moved.exec(text)?.groups?.date ?? null;
}
