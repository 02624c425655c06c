import { mapInTurns, runInTurns } from '../../turns.ts';
import type { NearMemory, Resembler, Resembling } from '../ports/index.ts';
import { saysChange } from './contradictions.ts';
import { detectRuleLanguages, rulesOf } from './languages/all-languages.ts';
import { toThirdPerson } from './languages/en/third-person.ts';
import { memoryTypeOf } from './memory-type.ts';
import { personsIn, speaksOf } from './persons.ts';
import { findSlot } from './slots.ts';
import { defaultSpeaker } from './speakers.ts';
import { denies, signatureOf } from './text-similarity.ts';

/**
 * Says of the memories nearest to a text that is stored as it is which one it repeats in other case
 * or spacing, and which at most three it resembles.
 */
export const resemble: Resembler = async (text, near) => {
  const folded = foldText(text);
  const repeated = near.find(({ memory }) => foldText(memory) === folded) ?? null;
  if (repeated !== null) return { repeated: repeated.id, similar: [] };
  const begin = beginningOf(text);
  const slot = slotOf(begin);
  const isChange = slot === null && saysChange(begin);
  const persons = isChange ? personsIn(begin) : [];
  const signature = signatureOf(begin, defaultSpeaker);
  const judge = ({ id, memory, similarity, ...stored }: NearMemory): Resembling[] => {
    const begun = beginningOf(memory);
    const isSameSlot = slot !== null && (stored.slot ?? slotOf(begun)) === slot;
    if (similarity < similarMin && !isSameSlot) return [];
    const isChanged = isChange && speaksOf(persons, begun) && !isEvent(begun);
    const contradicts =
      isSameSlot || isChanged || denies(signature, signatureOf(begun, defaultSpeaker));
    const score = Math.max(0, Math.round(similarity * 100) / 100);
    return [{ id, memory, score, ...(contradicts && { contradicted: true }) }];
  };
  const judged = await runInTurns(mapInTurns(near, judge));
  return { repeated: null, similar: judged.flat().slice(0, similarMax) };
};

/** Only one in a hundred pairs of texts about two things is above .24. */
const similarMin = 0.4;
const similarMax = 3;

/** Long texts are compared by their beginnings: two that begin alike say much the same. */
function beginningOf(text: string): string {
  return text.slice(0, comparedChars);
}

const comparedChars = 1000;

/** Normalizing and replacing take longest, and few texts need either. */
function foldText(text: string): string {
  const folded = (isAscii.test(text) ? text : text.normalize('NFKC')).toLowerCase();
  return (otherSpacing.test(folded) ? folded.replace(/\s+/g, ' ') : folded).trim();
}

const isAscii = /^[\0-\x7f]*$/;
const otherSpacing = /\s\s|[^\S ]/;

/** An event that has happened does not change any more. */
function isEvent(text: string): boolean {
  const [language = 'en'] = detectRuleLanguages(text);
  return memoryTypeOf(text, rulesOf(language)) === 'event';
}

function slotOf(text: string): string | null {
  const [language = 'en'] = detectRuleLanguages(text);
  const sentence = language === 'en' ? (toThirdPerson(text, defaultSpeaker) ?? text) : text;
  return findSlot(sentence, { rules: rulesOf(language), speaker: defaultSpeaker })?.name ?? null;
}
