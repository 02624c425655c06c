import { limits } from '../../contract/limits.ts';
import { analyze } from '../language/analyze.ts';
import { noteSlotOf } from './languages/note-slots.ts';
import type { LanguageRules } from './languages/rules.ts';

/** A slot that a sentence fills or ends. */
export type FilledSlot = { name: string; ended: boolean };

/** The slot that a sentence fills. A slot has one value, so a newer one supersedes it. */
export function findSlot(
  sentence: string,
  { rules, speaker }: { rules: LanguageRules; speaker: string },
): FilledSlot | null {
  const text = sentence.replaceAll('’', "'");
  for (const { slot, pattern } of rules.slots) {
    const groups = pattern.exec(text)?.groups;
    if (groups === undefined && !pattern.test(text)) continue;
    const { who = speaker, topic, other, ended } = groups ?? {};
    const name = slotName(slot, { topic, other });
    if (name === null) continue;
    const whole = `${who.toLowerCase()}:${name}`.slice(0, limits.slot_max_chars).toWellFormed();
    return { name: whole, ended: ended !== undefined };
  }
  const noted = noteSlotOf(text);
  return noted === null ? null : { name: `${speaker.toLowerCase()}:${noted}`, ended: false };
}

type SlotTopic = { topic: string | undefined; other: string | undefined };

/** "Coffee over tea" and "tea over coffee" fill the same slot. */
function slotName(slot: string, { topic, other }: SlotTopic): string | null {
  if (topic === undefined) return slot;
  const terms = [topic, other ?? '']
    .map((part) => [...new Set(analyze(part))].join('_'))
    .filter((part) => part !== '');
  if (terms.length === 0) return null;
  const about = terms.sort().join('|');
  return slot === 'attribute' ? about : `${slot}:${about}`;
}
