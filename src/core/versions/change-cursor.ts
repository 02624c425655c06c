import type { Instant } from '../ports/index.ts';

/** A position in the order of changes, and when it was handed out. */
export type ChangeCursor = { position: number; at: Instant };

/** Does not name the project: a cursor gives no access. */
export function encodeCursor({ position, at }: ChangeCursor): string {
  return Buffer.from(`${position} ${Date.parse(at)}`).toString('base64url');
}

/** Null if `encodeCursor` did not write it. */
export function decodeCursor(text: string): ChangeCursor | null {
  const plain = Buffer.from(text, 'base64url').toString();
  const [, position, ms] = /^(\d{1,15}) (\d{1,15})$/.exec(plain) ?? [];
  if (position === undefined || Number(ms) > latestMs) return null;
  const cursor = { position: Number(position), at: new Date(Number(ms)).toISOString() };
  return encodeCursor(cursor) === text ? cursor : null;
}

/** The last millisecond that a date can hold. */
const latestMs = 8.64e15;
