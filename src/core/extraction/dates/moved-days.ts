import type { LanguageRules } from '../languages/rules.ts';

/**
 * Where a text moves something to another day ("from 3 to 17 December", "postponed until Friday"),
 * what it says from that day on: that day is to come, whatever the tense of the verb, and the old
 * one no longer counts. Null for other texts.
 */
export function movedTo(text: string, { dates }: LanguageRules): string | null {
  return dates.moved.exec(text)?.groups?.date ?? null;
}
