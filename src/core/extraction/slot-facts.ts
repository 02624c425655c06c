import { factsOfNote, type NotedFact } from './languages/notes.ts';
import { detectRuleLanguages, rulesOf } from './rule-languages.ts';
import { findSlot } from './slots.ts';

/**
 * The fact that fills a slot, of a memory that says several: "User paints and lives in Lille". Null
 * if it says one fact only, or if none or several fill the slot.
 */
export function factOfSlot(
  memory: string,
  { slot, speaker }: { slot: string | null; speaker: string },
): NotedFact | null {
  const facts = factsOfNote(memory);
  if (slot === null || facts.length < 2) return null;
  const [language = 'en'] = detectRuleLanguages(memory);
  const rules = rulesOf(language);
  const filling = facts.filter(({ fact }) => findSlot(fact, { rules, speaker })?.name === slot);
  const [only = null, ...others] = filling;
  return others.length > 0 ? null : only;
}
