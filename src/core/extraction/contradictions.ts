import type { ExtractionModels, Occurrence, Validity } from '../ports/index.ts';
import { cosineSimilarity } from '../vectors.ts';
import type { ComparedMemory } from './known-memories.ts';
import { anyLanguage, rulesOf } from './languages/all-languages.ts';
import { personsIn, speaksOf } from './persons.ts';
import { type FilledSlot, listSlots } from './slots.ts';
import type { ExtractedStatement } from './statement.ts';
import { coverage, denies, negationMark, type TextSignature } from './text-similarity.ts';

/** A statement with the time of its event. */
export type DatedStatement = ExtractedStatement & {
  occurred: Occurrence | null;
  validity?: Validity;
};

export type ComparedStatement = { statement: DatedStatement; signature: TextSignature };

/** The vector of a text, of length 1; null if its words are not known. */
export type EmbedText = ExtractionModels['embed'];

export type MemoryComparison = {
  /** Whether the statement takes the place of a memory already. */
  isUpdate: boolean;
  embed: EmbedText;
  /** Awaited between memories. */
  rest: () => Promise<void>;
};

/**
 * The memories that a statement may contradict, at most three: those that assert what it denies;
 * else, if it gives an attribute a value, those that do so, too; else, if it says that something
 * ended or changed, those that share most words with it, and the newest that come near it in
 * meaning.
 */
export async function findContradicted(
  read: ComparedStatement,
  memories: readonly ComparedMemory[],
  { isUpdate, embed, rest }: MemoryComparison,
): Promise<ComparedMemory[]> {
  const { text, said, language, speaker } = read.statement;
  const denied = memories.filter((memory) => denies(read.signature, memory.signature));
  if (denied.length > 0) return denied.slice(0, contradictedMax);
  const slots = listSlots(text, { rules: rulesOf(language), speaker });
  const alike = memories.filter((memory) => sharesSlot(slots, read, memory));
  const isOpenEnd = !isUpdate && slots.some(({ ended }) => ended);
  if (alike.length > 0 || (slots.length > 0 && !isOpenEnd)) return alike.slice(0, contradictedMax);
  const words = said ?? text;
  if (!saysChange(words)) return [];
  const terms = [...read.signature.terms].filter(
    (term) => term !== negationMark && /\p{L}/u.test(term),
  );
  const persons = personsIn(words);
  const compared: { memory: ComparedMemory; shared: number }[] = [];
  for (const [index, memory] of memories.entries()) {
    await rest();
    // What has happened stays so.
    if (memory.type === 'event') continue;
    const shared = terms.filter((term) => memory.signature.terms.has(term)).length;
    const isNew = index >= memories.length - newestCompared;
    if ((shared === 0 && !isNew) || !speaksOf(persons, memory.memory)) continue;
    if (shared > 0 || isNear(memory.memory, text, embed)) compared.push({ memory, shared });
  }
  compared.sort((one, other) => other.shared - one.shared);
  return compared.slice(0, contradictedMax).map(({ memory }) => memory);
}

/** A statement that contradicts more is likelier to be misread. */
const contradictedMax = 3;

const newestCompared = 20;

/** Whether a text says in few words that something ended, changed or was wrong. */
export function saysChange(text: string): boolean {
  return text.length <= changeMaxChars && changes.test(text);
}

/**
 * Without this bound and words of a change 61 of 100 memories of LoCoMo named others, and 67 of
 * BEAM; with them 2 and 3 do (test/bench/README.md).
 */
const changeMaxChars = 160;

const wordsOfChange = anyLanguage(({ changes }) => changes).replaceAll(/ (?=\||$)/g, '(?!\\p{L})');

/** Scripts without spaces know no beginnings of words. */
const changes = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${wordsOfChange})`,
  'iu',
);

function isNear(memory: string, statement: string, embed: EmbedText): boolean {
  const [one, other] = [embed(memory), embed(statement)];
  return one !== null && other !== null && cosineSimilarity(one, other) >= nearMin;
}

/** Texts about one thing in other words are mostly this near, few others are. */
const nearMin = 0.3;

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
