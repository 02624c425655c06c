import { coverage, type TextSignature } from '../language/text-similarity.ts';
import type { Occurrence, Validity } from '../ports/index.ts';
import { saysChange } from './classifier/pair-concepts.ts';
import { type ContradictionFinder, contradictedMin } from './contradictions.ts';
import type { ExtractedStatement } from './extract-statements.ts';
import type { ComparedMemory } from './known-memories.ts';
import { rulesOf } from './languages/all-languages.ts';
import { type FilledSlot, listSlots } from './slots.ts';

/** A statement with the time of its event. */
export type DatedStatement = ExtractedStatement & {
  occurred: Occurrence | null;
  validity?: Validity;
};

export type ComparedStatement = { statement: DatedStatement; signature: TextSignature };

export type MemoryComparison = {
  finder: ContradictionFinder;
  /** Awaited between memories, each of which may say many facts. */
  rest: () => Promise<void>;
};

/** The memories that a statement may contradict, the surest first; at most three. */
export async function findContradicted(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  { finder, rest }: MemoryComparison,
): Promise<ComparedMemory[]> {
  const { text, said, language, speaker } = read.statement;
  const slots = listSlots(text, { rules: rulesOf(language), speaker });
  const found: { memory: ComparedMemory; sureness: number }[] = [];
  for (const memory of known) {
    if (sharesSlot(slots, read, memory)) found.push({ memory, sureness: 1 });
  }
  for (const memory of listComparable(read, known, finder)) {
    await rest();
    const sureness = finder.find(memory, said ?? text);
    const isNew = found.every((one) => one.memory !== memory);
    if (isNew && sureness >= contradictedMin) found.push({ memory, sureness });
  }
  found.sort((one, other) => other.sureness - one.sureness);
  return found.slice(0, contradictedMax).map(({ memory }) => memory);
}

/** A statement that contradicts more is likelier to be misread. */
const contradictedMax = 3;

/** Both state one attribute; an end only concerns the value that it names. */
function sharesSlot(
  slots: readonly FilledSlot[],
  { signature }: ComparedStatement,
  memory: ComparedMemory,
): boolean {
  return slots.some(({ name, ended }) =>
    memory.slots.some(
      (other) =>
        other.name === name &&
        (other.ended === ended ||
          (ended && coverage(memory.signature, signature) >= endedCoverageMin)),
    ),
  );
}

const endedCoverageMin = 0.6;

/**
 * Those that share most words with a statement, and the newest that are about the same; none unless
 * it says, in few words, that something changed.
 */
function listComparable(
  { statement, signature }: ComparedStatement,
  known: readonly ComparedMemory[],
  finder: ContradictionFinder,
): ComparedMemory[] {
  const { text, said } = statement;
  if (text.length > comparedMaxChars || !saysChange(said ?? text)) return [];
  const compared = known.flatMap((memory, index) => {
    if (memory.type === 'event') return []; // what has happened stays so
    const words = [...signature.terms].filter((term) => memory.signature.terms.has(term));
    const shared = words.filter((term) => term !== 'not').length;
    const isNew = index >= known.length - newestCompared;
    const isNear = shared > 0 || (isNew && finder.isNear(memory.memory, text));
    return isNear ? [{ memory, shared }] : [];
  });
  compared.sort((one, other) => other.shared - one.shared);
  return compared.slice(0, comparedMax).map(({ memory }) => memory);
}

/** A closer look at a memory takes about a tenth of a millisecond. */
const comparedMax = 6;
const newestCompared = 20;

/**
 * Without these two bounds 61 of 100 memories of LoCoMo named others, and 67 of BEAM; with them 2
 * and 3 do (test/bench/README.md).
 */
const comparedMaxChars = 160;
