import type { ConversationTurn, ImportedConversation } from './conversation.ts';
import { saidTogether } from './said-together.ts';

/** A turn or a part of it, with the turn's number in its conversation, from 0. */
export type TurnPart = ConversationTurn & { number: number };

/** The turns of one add, and their range in the conversation. */
export type Chunk = { turns: TurnPart[]; from: number; to: number };

/** The most that a model can read at once, with room for its answer. */
const turnsMax = 20;
const charsMax = 24_000;

/** The longest memory, where turns are stored as they are. */
const turnMaxChars = 30_000;

/**
 * Splits a conversation into adds, starting at a turn. A turn that is too long is split, and one
 * that was said on another day or an hour later starts another add. One at a time: those of a long
 * conversation would take more memory than itself.
 */
export function* splitIntoChunks(
  { turns }: ImportedConversation,
  start: number,
  timezone: string,
): Generator<Chunk, void> {
  let last: Chunk | null = null;
  for (let number = start; number < turns.length; number += 1) {
    const turn = turns[number];
    if (turn === undefined) continue;
    const parts = splitTurn(turn).map((part) => ({ ...part, number }));
    if (last !== null && fitsChunk(last, turn, timezone)) {
      last.turns.push(...parts);
      last.to = number + 1;
    } else {
      if (last !== null) yield last;
      last = { turns: parts, from: number, to: number + 1 };
    }
  }
  if (last !== null) yield last;
}

function fitsChunk({ turns }: Chunk, turn: ConversationTurn, timezone: string): boolean {
  const chars = turns.reduce((sum, { content }) => sum + content.length, turn.content.length);
  const fits = turns.length < turnsMax && chars <= charsMax;
  return fits && saidTogether(turns[0]?.at ?? null, turn.at, timezone);
}

/** Splits at the last white space, if there is any in the second half. */
function splitTurn(turn: ConversationTurn): ConversationTurn[] {
  const parts: ConversationTurn[] = [];
  let rest = turn.content;
  while (rest.length > turnMaxChars) {
    const space = rest.slice(0, turnMaxChars).search(/\s\S*$/);
    const end = space > turnMaxChars / 2 ? space : turnMaxChars;
    parts.push({ ...turn, content: rest.slice(0, end).toWellFormed() });
    rest = rest.slice(end).trimStart();
  }
  if (rest !== '') parts.push({ ...turn, content: rest.toWellFormed() });
  return parts;
}
