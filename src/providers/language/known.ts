import type { Decision, RelatedMemory } from '../../core/ports/index.ts';
import type { Terms } from './grounds.ts';
import { type Named, type Piece, shortened } from './prompt.ts';

/** The known memories as they are after what was decided so far. */
export type Known = {
  /** Those that some messages are likeliest about, as many as there is room for. */
  namedFor(pieces: readonly Piece[]): Named[];
  /** What the conversation has come to so far. */
  noted(): string[];
  note(decisions: readonly Decision[]): void;
};

type Room = { input_tokens: number; tokensOf: (text: string) => number; terms: Terms };

/** Of a request a third is for memories. */
export function knownTokens({ input_tokens }: Pick<Room, 'input_tokens'>): number {
  return Math.floor(input_tokens / 3);
}

export function createKnown(known: readonly RelatedMemory[], room: Room): Known {
  const current = new Map(known.map((memory) => [memory.id, memory]));
  const noted: string[] = [];
  return {
    namedFor: (pieces) => likeliest([...current.values()], pieces, room).map(toNamed),
    noted: () => noted.slice(-notedMax),
    note: (decisions) => {
      for (const { event, target, text } of decisions) {
        const memory = target === null ? undefined : current.get(target);
        if (event === 'ADD') noted.push(text);
        else if (event === 'DELETE' && memory) current.delete(memory.id);
        else if (event === 'UPDATE' && memory) current.set(memory.id, { ...memory, memory: text });
      }
    },
  };
}

const notedMax = 30;

/** So many that a model still looks at each. */
const namedMax = 60;

/** A memory's id, date and quotation marks. */
const aroundTokens = 20;

function likeliest(known: RelatedMemory[], pieces: readonly Piece[], room: Room): RelatedMemory[] {
  const { terms, tokensOf } = room;
  const said = new Set(pieces.flatMap(({ text }) => terms.all(text)));
  const shared = known.map((memory) => {
    const count = terms.telling(memory.memory).filter((term) => said.has(term)).length;
    return { memory, count };
  });
  let left = knownTokens(room);
  const chosen = shared
    .sort((one, other) => other.count - one.count)
    .slice(0, namedMax)
    .filter(({ memory }) => {
      left -= tokensOf(shortened(memory.memory)) + aroundTokens;
      return left >= 0;
    });
  const ids = new Set(chosen.map(({ memory }) => memory.id));
  return known.filter(({ id }) => ids.has(id));
}

/** Ids of a few letters: they cost little, and nobody can name a memory that was not given. */
function toNamed(memory: RelatedMemory, index: number): Named {
  return { ...memory, short: `m${index + 1}` };
}
