import type { TextSignature } from '../language/text-similarity.ts';
import type { Occurrence, RelatedMemory, Validity } from '../ports/index.ts';
import type { ContradictionFinder } from './contradictions.ts';
import type { ExtractedStatement } from './extract-statements.ts';
import { preferencePattern, statesPostponing } from './supersession-cues.ts';

/** A statement with the time of its event. */
export type DatedStatement = ExtractedStatement & {
  occurred: Occurrence | null;
  validity?: Validity;
};

export type ComparedMemory = RelatedMemory & { signature: TextSignature };
export type ComparedStatement = { statement: DatedStatement; signature: TextSignature };

export type MemoryComparison = {
  finder: ContradictionFinder;
  /** Awaited between memories, each of which may say many facts. */
  rest: () => Promise<void>;
};

/** The memory that a statement most surely makes untrue. */
export async function findContradicted(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  { finder, rest }: MemoryComparison,
): Promise<ComparedMemory | null> {
  const said = read.statement.said ?? read.statement.text;
  let best: { memory: ComparedMemory | null; sureness: number } = { memory: null, sureness: 0 };
  for (const memory of listComparable(read, known, finder)) {
    await rest();
    const sureness = finder.find(memory, said)?.sureness ?? 0;
    if (sureness > best.sureness) best = { memory, sureness };
  }
  return best.memory;
}

/** Those that share most words with a statement, and the newest that are about the same. */
function listComparable(
  read: ComparedStatement,
  known: readonly ComparedMemory[],
  finder: ContradictionFinder,
): ComparedMemory[] {
  const { statement, signature } = read;
  const { text, said } = statement;
  const compared = known.flatMap((memory, index) => {
    if (isOutOfReach(memory, said ?? text) || isAnother(read, memory)) return [];
    const words = [...signature.terms].filter((term) => memory.signature.terms.has(term));
    const shared = words.filter((term) => term !== 'not').length;
    const isNew = index >= known.length - newestCompared;
    const isNear = shared > 0 || (isNew && finder.isNear(memory.memory, text));
    return isNear ? [{ memory, shared }] : [];
  });
  compared.sort((one, other) => other.shared - one.shared);
  return compared.slice(0, comparedMax).map(({ memory }) => memory);
}

/** "I stored parcel 7" after "I stored parcel 6": the same was done again, with something else. */
function isAnother({ statement, signature }: ComparedStatement, memory: ComparedMemory): boolean {
  if (statement.type !== 'event') return false;
  const plain = (of: TextSignature) => [...of.terms].filter((term) => !of.salientTerms.has(term));
  const [own, other] = [plain(signature), plain(memory.signature)];
  return own.length > 1 && own.length === other.length && own.every((term) => other.includes(term));
}

/** A closer look at a memory takes about a tenth of a millisecond. */
const comparedMax = 6;
const newestCompared = 20;

/**
 * What has happened stays so. A plan that is moved is found by its date, and a liking ends only if
 * something is said of liking: rules know both better, and whether "the new landlord" has a name.
 */
function isOutOfReach({ type }: ComparedMemory, said: string): boolean {
  if (type === 'plan') return statesPostponing(said);
  if (describesNewOne.test(said)) return true;
  return type === 'event' || (type === 'preference' && !preferencePattern.test(said));
}

const describesNewOne = /^(?:the|our|my) new \p{L}+ (?:is|are|was|were) /iu;
