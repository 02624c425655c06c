import { mapInTurns, runInTurns } from '../../turns.ts';
import type { ExtractionModels, NearMemory, Resembler, Resembling } from '../ports/index.ts';
import { cached, contradictedMin, createContradictionFinder } from './contradictions.ts';
import { memoryTypeOf } from './extract-statements.ts';
import { detectRuleLanguages, rulesOf } from './languages/all-languages.ts';
import { toThirdPerson } from './languages/en/third-person.ts';
import { findSlot } from './slots.ts';

/**
 * Says of the memories nearest to a text that is stored as it is which one it repeats in other case
 * or spacing, and which at most three it resembles.
 */
export function createResembler(models: ExtractionModels | null): Resembler {
  return async (text, near) => {
    const folded = foldText(text);
    const repeated = near.find(({ memory }) => foldText(memory) === folded) ?? null;
    if (repeated !== null) return { repeated: repeated.id, similar: [] };
    const begin = beginningOf(text);
    const slot = slotOf(begin);
    const finder = createContradictionFinder(models);
    const slotOfText = cached(slotOf);
    const isSameSlot = (memory: NearMemory) =>
      slot !== null && (memory.slot ?? slotOfText(beginningOf(memory.memory))) === slot;
    const judge = (memory: NearMemory): Resembling => {
      const begun = { ...memory, memory: beginningOf(memory.memory) };
      const isOther =
        isSameSlot(memory) ||
        (!isEvent(begun.memory) && finder.find(begun, begin) >= contradictedMin);
      const score = Math.max(0, Math.round(memory.similarity * 100) / 100);
      const similar = { id: memory.id, memory: memory.memory, score };
      return isOther ? { ...similar, contradicted: true } : similar;
    };
    const alike: NearMemory[] = [];
    for (const memory of near) {
      if (alike.length === similarMax) break;
      if (memory.similarity >= similarMin || isSameSlot(memory)) alike.push(memory);
    }
    const similar = await runInTurns(mapInTurns(alike, judge));
    return { repeated: null, similar };
  };
}

/** Of the pairs of strangers in `tools/classifier/pairs` one in a hundred is above .24. */
const similarMin = 0.4;
const similarMax = 3;

/** What long texts are compared by: two that begin alike for so long say much the same. */
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

/** What has happened stays so. */
function isEvent(text: string): boolean {
  const [language = 'en'] = detectRuleLanguages(text);
  return memoryTypeOf(text, rulesOf(language)) === 'event';
}

function slotOf(text: string): string | null {
  const [language = 'en'] = detectRuleLanguages(text);
  const sentence = language === 'en' ? (toThirdPerson(text, 'User') ?? text) : text;
  return findSlot(sentence, { rules: rulesOf(language), speaker: 'User' })?.name ?? null;
}
