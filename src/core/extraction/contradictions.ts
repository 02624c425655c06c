import type { ExtractionModels, MemoryStatement } from '../ports/index.ts';
import { cosineSimilarity } from '../search/semantic/vector-scale.ts';
import { classify } from './classifier/linear-model.ts';
import {
  comparePair,
  type PairText,
  pairFeatures,
  readPairText,
} from './classifier/pair-features.ts';
import { factsOfNote, type NotedFact } from './languages/notes.ts';

/** A fact of a stored memory that is no longer true, and what else the memory says. */
export type Contradiction = { fact: string; rest: string | null; sureness: number };

type NotedMemory = Pick<MemoryStatement, 'id' | 'memory'>;

/** Compares statements with stored memories. Both take time in proportion to the texts. */
export type ContradictionFinder = {
  /**
   * The fact of a memory that a statement makes untrue, and how sure that is, from 0 to 1; with
   * `isKnown`, it is certain that there is one.
   */
  find(memory: NotedMemory, statement: string, isKnown?: boolean): Contradiction | null;
  /** Whether a memory and a statement that share no word can be about one thing. */
  isNear(memory: string, statement: string): boolean;
};

/**
 * From here on a fact is taken to be replaced: where of the pairs of the development set nearly all
 * that must stay do (test/bench/README.md).
 */
export const replacedMin = 0.7;

export function createContradictionFinder(models: ExtractionModels | null): ContradictionFinder {
  const embed = cached((word: string) => models?.embed(word) ?? null);
  const facts = new Map<string, readonly NotedFact[]>();
  const factsOf = ({ id, memory }: NotedMemory) => {
    const found = facts.get(id) ?? factsOfNote(memory);
    facts.set(id, found);
    return found;
  };
  const readFact = cached(readPairText);
  let said: PairText | null = null;
  const find: ContradictionFinder['find'] = (memory, statement, isKnown = false) => {
    // It is compared with one memory after another.
    if (said?.text !== statement) said = readPairText(statement);
    let best: { noted: NotedFact; sureness: number } | null = null;
    for (const noted of factsOf(memory)) {
      const fact = readFact(noted.fact);
      const sureness =
        models === null ? wordsShared(fact, said) : replaced(fact, said, { ...models, embed });
      if (best === null || sureness > best.sureness) best = { noted, sureness };
    }
    if (best === null || !(isKnown || (models !== null && best.sureness >= replacedMin)))
      return null;
    const { noted, sureness } = best;
    return { fact: noted.fact, rest: noted.rest, sureness };
  };
  const vectors = cached((text: string) => models?.embed(text) ?? null);
  const isNear: ContradictionFinder['isNear'] = (memory, statement) => {
    const [one, other] = [vectors(memory), vectors(statement)];
    if (one === null || other === null) return false;
    return cosineSimilarity(one, other) >= nearMin;
  };
  return { find, isNear };
}

/** Texts about one thing in other words are mostly this near, few others are. */
const nearMin = 0.2;

/** Remembers what was computed of a text: each is compared with many. */
export function cached<Value>(compute: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}

function replaced(fact: PairText, statement: PairText, { pairs, embed }: ExtractionModels): number {
  const compared = comparePair(fact, statement, embed);
  if (!compared.isComparable) return 0;
  return classify(pairs, pairFeatures(compared), embed(compared.cue)).get('replaced') ?? 0;
}

function wordsShared(fact: PairText, statement: PairText): number {
  return comparePair(fact, statement, () => null).sharedShare;
}
