import { compareSignatures, signatureOf } from '../language/text-similarity.ts';
import type { ExtractionModels, Resembler, Resembling } from '../ports/index.ts';
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
    const score = createScore(text, models);
    const slot = slotOf(text);
    const finder = createContradictionFinder(models);
    const similar = known
      .map((memory) => {
        const isSame = slot !== null && (memory.slot ?? slotOf(memory.memory)) === slot;
        return { memory, isSame, score: score(memory.memory) };
      })
      .filter((one) => one.isSame || one.score >= similarMin)
      .sort((one, other) => other.score - one.score)
      .slice(0, similarMax)
      .map(({ memory, isSame, score }): Resembling => {
        const isOther = isSame || finder.find(memory, text) !== null;
        const rounded = Math.max(0, Math.round(score * 100) / 100);
        const found = { id: memory.id, memory: memory.memory, score: rounded };
        return isOther ? { ...found, contradicted: true } : found;
      });
    return { repeated: null, similar };
  };
}

/** Of the pairs of strangers in `tools/classifier/pairs` one in a hundred is above .24. */
const similarMin = 0.4;
const similarMax = 3;

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
