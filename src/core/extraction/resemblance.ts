import { mapInTurns, runInTurns } from '../../turns.ts';
import { compareSignatures, signatureOf } from '../language/text-similarity.ts';
import type { ExtractionModels, RelatedMemory, Resembler, Resembling } from '../ports/index.ts';
import { cosineSimilarity } from '../search/semantic/vector-scale.ts';
import { createContradictionFinder } from './contradictions.ts';
import { toThirdPerson } from './languages/en-third-person.ts';
import { detectRuleLanguages, rulesOf } from './rule-languages.ts';
import { findSlot } from './slots.ts';

/**
 * Compares a text that is stored as it is with stored memories: which one it repeats in other case
 * or spacing, and which at most three it resembles. The score is the cosine of the angle between
 * their vectors; without vectors only texts with the same words resemble one another, with 1.
 */
export function createResembler(models: ExtractionModels | null): Resembler {
  return async (text, known) => {
    const folded = foldText(text);
    const repeated = known.find(({ memory }) => foldText(memory) === folded) ?? null;
    if (repeated !== null) return { repeated: repeated.id, similar: [] };
    const begin = beginningOf(text);
    const score = createScore(begin, models);
    const slot = slotOf(begin);
    const finder = createContradictionFinder(models);
    const compare = (memory: RelatedMemory) => {
      const other = beginningOf(memory.memory);
      const isSame = slot !== null && (memory.slot ?? slotOf(other)) === slot;
      return { memory, isSame, score: score(other) };
    };
    const compared = await runInTurns(mapInTurns(known, compare));
    const nearest = compared
      .filter((one) => one.isSame || one.score >= similarMin)
      .sort((one, other) => other.score - one.score)
      .slice(0, similarMax);
    const judge = ({ memory, isSame, score: found }: (typeof nearest)[number]): Resembling => {
      const begun = { ...memory, memory: beginningOf(memory.memory) };
      const isOther = isSame || finder.find(begun, begin) !== null;
      const rounded = Math.max(0, Math.round(found * 100) / 100);
      const similar = { id: memory.id, memory: memory.memory, score: rounded };
      return isOther ? { ...similar, contradicted: true } : similar;
    };
    const similar = await runInTurns(mapInTurns(nearest, judge));
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

function foldText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function createScore(text: string, models: ExtractionModels | null): (memory: string) => number {
  const vector = models?.embed(text) ?? null;
  const signature = signatureOf(text, 'User');
  return (memory) => {
    const other = vector === null ? null : (models?.embed(memory) ?? null);
    if (vector !== null && other !== null) return cosineSimilarity(vector, other);
    return compareSignatures(signature, signatureOf(memory, 'User')) === 'same' ? 1 : 0;
  };
}

function slotOf(text: string): string | null {
  const [language = 'en'] = detectRuleLanguages(text);
  const sentence = language === 'en' ? (toThirdPerson(text, 'User') ?? text) : text;
  return findSlot(sentence, { rules: rulesOf(language), speaker: 'User' })?.name ?? null;
}
