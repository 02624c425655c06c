import { isSpeakingRole, type Message } from '../../contract/schemas/message.ts';
import type { MessageChunk } from './extraction-prompt.ts';

/** The parts of a conversation that a model reads, in order. */
export function toMessageChunks(messages: readonly Message[]): MessageChunk[] {
  return messages
    .map(({ role, name, content }, message) => ({ message, role, name, text: content.trim() }))
    .filter(({ role, text }) => text !== '' && isSpeakingRole(role));
}

/** Indexes of the messages that no model reads, by role: instructions and what tools return. */
export function listUnread(messages: readonly Message[]): Record<string, number[]> {
  const unread = new Map<string, number[]>();
  for (const [number, { role, content }] of messages.entries()) {
    if (isSpeakingRole(role) || content.trim() === '') continue;
    unread.set(role, [...(unread.get(role) ?? []), number]);
  }
  return Object.fromEntries(unread);
}

type BatchSizeOptions = { tokens_max: number; tokensOf: (text: string) => number };

/** Splits a conversation into batches of a number of tokens; long messages are split, too. */
export function batchChunks(
  pieces: readonly MessageChunk[],
  { tokens_max, tokensOf }: BatchSizeOptions,
): MessageChunk[][] {
  const batches: MessageChunk[][] = [];
  let batch: MessageChunk[] = [];
  let size = 0;
  const fitting = pieces.flatMap((piece) =>
    splitUntilFits(piece, (text) => tokensOf(text) <= tokens_max),
  );
  for (const piece of fitting) {
    const tokens = tokensOf(piece.text) + messageOverheadTokens;
    if (batch.length > 0 && size + tokens > tokens_max) {
      batches.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(piece);
    size += tokens;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** Tokens of the line around a message's text. */
const messageOverheadTokens = 20;

/** The halves of a batch; null if it is too small to split. */
export function splitBatch(
  batch: readonly MessageChunk[],
): [MessageChunk[], MessageChunk[]] | null {
  const [only, ...others] = batch;
  if (only === undefined) return null;
  const half = Math.ceil(batch.length / 2);
  if (others.length > 0) return [batch.slice(0, half), batch.slice(half)];
  if (only.text.length < 2 * chunkMinChars) return null;
  const [first, second] = splitChunk(only);
  return [[first], [second]];
}

const chunkMinChars = 500;

function splitUntilFits(piece: MessageChunk, fits: (text: string) => boolean): MessageChunk[] {
  if (piece.text.length < 2 * chunkMinChars || fits(piece.text)) return [piece];
  return splitChunk(piece).flatMap((half) => splitUntilFits(half, fits));
}

/** Splits near the middle, at the end of a sentence or at white space. */
function splitChunk(piece: MessageChunk): [MessageChunk, MessageChunk] {
  const { text } = piece;
  const middle = Math.floor(text.length / 2);
  const center = text.slice(middle - chunkMinChars / 2, middle + chunkMinChars / 2);
  const end = /[.!?。！？\n](?=\s|$|[^\s.])\s*/.exec(center) ?? /\s+/.exec(center);
  const at = end === null ? middle : middle - chunkMinChars / 2 + end.index + end[0].length;
  const first = text.slice(0, at).toWellFormed();
  const second = text.slice(at).toWellFormed();
  return [
    { ...piece, text: first },
    { ...piece, text: second },
  ];
}
