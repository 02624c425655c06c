import { shortIdOf } from '../../../contract/short-id.ts';
import { createTurns } from '../../../turns.ts';
import { shownBeginning } from '../../language/parts-by-length.ts';
import { analyzeQuery } from '../../language/terms-of-text.ts';
import type { Decision } from '../../ports/index.ts';
import { cosineSimilarity } from '../../vectors.ts';
import type { DatedStatement, EmbedText } from '../contradictions.ts';
import type { ComparedMemory } from '../known-memories.ts';
import { type ForgetObject, readForgetObject } from './forget-object.ts';
import { isMeant } from './meant-memories.ts';
import { namesTwo } from './same-names.ts';

type ForgetVerdict = Pick<Decision, 'event' | 'target' | 'reason' | 'slot'>;

type AskedToForget = { sentence: string; isSure: boolean };

export type ForgetDecider = (
  request: AskedToForget,
  memories: readonly ComparedMemory[],
) => Promise<ForgetVerdict[]>;

/**
 * Decides what a request to forget does: it deletes the one memory that has every word which tells
 * what is meant, or all of them if it asks for that. Otherwise nothing is changed, and the reason
 * names those that come nearest and the tool to call. Vectors only rank what is named.
 */
export function createForgetDecider(embed: EmbedText): ForgetDecider {
  return async ({ sentence, isSure }, memories) => {
    const texts = memories.map(({ memory }) => memory);
    const object = await readForgetObject(sentence, texts);
    if (object === null) return [noop(isSure ? notSaid : mayAsk)];
    const { whole, more, mentions } = await findMeant(object, isSure ? memories : []);
    const doubtful = [...more, ...mentions];
    const isAll = object.isAll && !namesTwo([...whole, ...doubtful], object);
    if (isAll && whole.length > 0)
      return [
        ...whole.map(deletion),
        ...(doubtful.length > 0 ? [noop(severalMeant(doubtful))] : []),
      ];
    const [first] = whole;
    if (whole.length === 1 && first !== undefined && doubtful.length === 0)
      return [deletion(first)];
    if (whole.length + more.length === 0) {
      const near = nearest(object, memories, embed);
      return [noop(near.length > 0 ? noneSays(near) : isSure ? notMeant : mayAsk)];
    }
    const [only, ...others] = [...whole, ...doubtful];
    const isOne = only !== undefined && others.length === 0;
    return [noop(isOne ? saysMore(only) : severalMeant([...whole, ...doubtful]))];
  };
}

type MeantMemories = Record<'whole' | 'more' | 'mentions', ComparedMemory[]>;

async function findMeant(
  object: ForgetObject,
  memories: readonly ComparedMemory[],
): Promise<MeantMemories> {
  const yieldTurn = createTurns();
  const matches: MeantMemories = { whole: [], more: [], mentions: [] };
  for (const memory of memories) {
    await yieldTurn();
    const meant = isMeant(memory, object);
    if (meant !== 'no') matches[meant].push(memory);
  }
  return matches;
}

/** Requests to forget come first: a statement beside one may change the memory that is meant. */
export function forgetsFirst(statements: readonly DatedStatement[]): DatedStatement[] {
  const asksToForget = ({ kind }: DatedStatement) => kind !== 'statement' && kind !== 'question';
  const otherStatements = statements.filter((one) => !asksToForget(one));
  return [...statements.filter(asksToForget), ...otherStatements];
}

/** Memories that share a word with the request, or are close to it in meaning. */
function nearest(
  { text, words }: ForgetObject,
  memories: readonly ComparedMemory[],
  embed: EmbedText,
): ComparedMemory[] {
  const vector = embed(text);
  const terms = new Set(analyzeQuery(words.map(({ written }) => written).join(' ')));
  const ranked = memories.map((memory) => {
    const shared = [...terms].filter((term) => memory.signature.terms.has(term)).length;
    const other = vector === null ? null : embed(factOf(memory.memory));
    const near = vector === null || other === null ? 0 : cosineSimilarity(vector, other);
    return { memory, isNear: shared > 0 || near >= nearMin, score: near + shared / terms.size };
  });
  const near = ranked.filter(({ isNear }) => isNear);
  near.sort((one, other) => other.score - one.score);
  return near.slice(0, nearestMax).map(({ memory }) => memory);
}

const nearestMax = 3;
const nearMin = 0.3;

/** The leading "User" is cut, because it does not tell one memory from another. */
function factOf(memory: string): string {
  return memory.replace(/^User(?:['’]s)? /, '');
}

function deletion({ id }: ComparedMemory): ForgetVerdict {
  return { event: 'DELETE', target: id, slot: null, reason: 'the user asked to forget it' };
}

function noop(reason: string): ForgetVerdict {
  return { event: 'NOOP', target: null, slot: null, reason };
}

function severalMeant(memories: readonly ComparedMemory[]): string {
  const count = memories.length > namedMax ? ` and ${memories.length - namedMax} more` : '';
  const examples = memories.slice(0, namedMax).map(nameOf).join(', ');
  return `several may be meant: ${examples}${count}; call delete_memory for each`;
}

function noneSays(near: readonly ComparedMemory[]): string {
  const names = near.map(nameOf).join(', ');
  return `no stored memory surely says that; nearest: ${names}; call delete_memory if one is meant`;
}

function saysMore(memory: ComparedMemory): string {
  return `${nameOf(memory)} says more than that: update_memory rewrites it`;
}

function nameOf({ id, memory }: ComparedMemory): string {
  return `${shortIdOf(id)} "${shownBeginning(memory)}"`;
}

const mayAsk = 'it may ask to forget something; delete_memory deletes what search_memories finds';
const notSaid = 'it does not say what to forget; delete_all_memories forgets everything';
const notMeant = 'nothing about it is stored; search_memories looks for it in other words';

/** At most this many memories are named. */
const namedMax = 5;
