import type { Message } from '../../contract/schemas/message.ts';
import type { Piece } from './prompt.ts';

/** Roles that tell nothing to remember: instructions, and what programs answered. */
const silent = new Set(['system', 'developer', 'tool', 'function']);

/** What of a conversation a model reads, in order. */
export function piecesOf(messages: readonly Message[]): Piece[] {
  return messages
    .map(({ role, name, content }, message) => ({ message, role, name, text: content.trim() }))
    .filter(({ role, text }) => text !== '' && !silent.has(role));
}

type Size = { tokens_max: number; tokensOf: (text: string) => number };

/** Cuts a conversation into parts of at most so many tokens; long messages are cut themselves. */
export function inBatches(pieces: readonly Piece[], { tokens_max, tokensOf }: Size): Piece[][] {
  const batches: Piece[][] = [];
  let batch: Piece[] = [];
  let size = 0;
  const fitting = pieces.flatMap((piece) => cut(piece, (text) => tokensOf(text) <= tokens_max));
  for (const piece of fitting) {
    const tokens = tokensOf(piece.text) + messageTokens;
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

/** What stands around a message's text. */
const messageTokens = 20;

/** The first and the second half of a batch; null where it is too small to be cut. */
export function halved(batch: readonly Piece[]): [Piece[], Piece[]] | null {
  const [only, ...others] = batch;
  if (only === undefined) return null;
  const half = Math.ceil(batch.length / 2);
  if (others.length > 0) return [batch.slice(0, half), batch.slice(half)];
  if (only.text.length < 2 * pieceMinChars) return null;
  const [first, second] = halvesOf(only);
  return [[first], [second]];
}

const pieceMinChars = 500;

function cut(piece: Piece, fits: (text: string) => boolean): Piece[] {
  if (piece.text.length < 2 * pieceMinChars || fits(piece.text)) return [piece];
  return halvesOf(piece).flatMap((half) => cut(half, fits));
}

/** Cut where a sentence ends, else at white space, near the middle. */
function halvesOf(piece: Piece): [Piece, Piece] {
  const { text } = piece;
  const middle = Math.floor(text.length / 2);
  const near = text.slice(middle - pieceMinChars / 2, middle + pieceMinChars / 2);
  const end = /[.!?。！？\n](?=\s|$|[^\s.])\s*/.exec(near) ?? /\s+/.exec(near);
  const at = end === null ? middle : middle - pieceMinChars / 2 + end.index + end[0].length;
  const first = text.slice(0, at).toWellFormed();
  const second = text.slice(at).toWellFormed();
  return [
    { ...piece, text: first },
    { ...piece, text: second },
  ];
}
