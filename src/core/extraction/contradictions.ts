import type { ExtractionModels, MemoryStatement } from '../ports/index.ts';
import { cosineSimilarity } from '../search/semantic/vector-scale.ts';
import { classify } from './classifier/linear-model.ts';
import {
  comparePair,
  type PairText,
  pairFeatures,
  readPairText,
} from './classifier/pair-features.ts';
import { factsOfMemory } from './split-facts.ts';

type NotedMemory = Pick<MemoryStatement, 'id' | 'memory'>;

/** Compares statements with stored memories. Both take time in proportion to the texts. */
export type ContradictionFinder = {
  /** How likely a statement makes a fact of a memory untrue, from 0 to 1. */
  find(memory: NotedMemory, statement: string): number;
  /** Whether a memory and a statement that share no word can be about one thing. */
  isNear(memory: string, statement: string): boolean;
};

/**
 * From here on a fact may be contradicted: of the development pairs 40 of 42 that contradict
 * nothing are below it, and four of five plain changes above (test/bench/README.md).
 */
export const contradictedMin = 0.4;

/** Without `models` nothing is contradicted. */
export function createContradictionFinder(models: ExtractionModels | null): ContradictionFinder {
  if (models === null) return { find: () => 0, isNear: () => false };
  const embed = cached((text: string) => models.embed(text));
  const facts = new Map<string, readonly string[]>();
  const factsOf = ({ id, memory }: NotedMemory) => {
    const found = facts.get(id) ?? factsOfMemory(memory);
    facts.set(id, found);
    return found;
  };
  const readFact = cached(readPairText);
  let said: PairText | null = null;
  const find: ContradictionFinder['find'] = (memory, statement) => {
    // It is compared with one memory after another.
    if (said?.text !== statement) said = readPairText(statement);
    let most = 0;
    for (const fact of factsOf(memory)) {
      most = Math.max(most, replaced(readFact(fact), said, { ...models, embed }));
    }
    return most;
  };
  const isNear: ContradictionFinder['isNear'] = (memory, statement) => {
    const [one, other] = [embed(memory), embed(statement)];
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
