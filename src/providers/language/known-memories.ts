import type { Decision, RelatedMemory } from '../../core/ports/index.ts';
import type { TermAnalyzer } from './evidence.ts';
import { type LabeledMemory, type MessageChunk, truncateMemory } from './extraction-prompt.ts';

/** The known memories after the decisions so far. */
export type KnownMemories = {
  /** The memories most related to some messages, as many as fit. */
  candidatesFor(pieces: readonly MessageChunk[]): LabeledMemory[];
  /** Memories added from this conversation so far. */
  additions(): string[];
  record(decisions: readonly Decision[]): void;
};

type KnownMemoriesOptions = {
  input_tokens: number;
  tokensOf: (text: string) => number;
  terms: TermAnalyzer;
};

/** A third of a request is for memories. */
export function knownMemoriesTokens({
  input_tokens,
}: Pick<KnownMemoriesOptions, 'input_tokens'>): number {
  return Math.floor(input_tokens / 3);
}

export function createKnownMemories(
  memories: readonly RelatedMemory[],
  room: KnownMemoriesOptions,
): KnownMemories {
  const current = new Map(memories.map((memory) => [memory.id, memory]));
  const noted: string[] = [];
  return {
    candidatesFor: (pieces) =>
      selectCandidates([...current.values()], pieces, room).map(toLabeledMemory),
    additions: () => noted.slice(-additionsMax),
    record: (decisions) => {
      for (const { event, target, text } of decisions) {
        const memory = target === null ? undefined : current.get(target);
        if (event === 'ADD') noted.push(text);
        else if (event === 'DELETE' && memory) current.delete(memory.id);
        else if (event === 'UPDATE' && memory) current.set(memory.id, { ...memory, memory: text });
      }
    },
  };
}

const additionsMax = 30;

/** Few enough that a model considers each. */
const candidatesMax = 60;

/** A memory's id, date and quotation marks. */
const memoryOverheadTokens = 20;

function selectCandidates(
  memories: RelatedMemory[],
  pieces: readonly MessageChunk[],
  room: KnownMemoriesOptions,
): RelatedMemory[] {
  const { terms, tokensOf } = room;
  const said = new Set(pieces.flatMap(({ text }) => terms.all(text)));
  const shared = memories.map((memory) => {
    const count = terms.salient(memory.memory).filter((term) => said.has(term)).length;
    return { memory, count };
  });
  let left = knownMemoriesTokens(room);
  const chosen = shared
    .sort((one, other) => other.count - one.count)
    .slice(0, candidatesMax)
    .filter(({ memory }) => {
      left -= tokensOf(truncateMemory(memory.memory)) + memoryOverheadTokens;
      return left >= 0;
    });
  const ids = new Set(chosen.map(({ memory }) => memory.id));
  return memories.filter(({ id }) => ids.has(id));
}

/** Short ids cost few tokens, and a model can't name a memory that it has not seen. */
function toLabeledMemory(memory: RelatedMemory, index: number): LabeledMemory {
  return { ...memory, label: `m${index + 1}` };
}
