import type { RecalledHit } from '../../../core/ports/index.ts';

/**
 * Hits in ten characters each: the last twelve digits of the id, which are random, in base 64, and
 * the score in thousandths. Whole ids would take most of what a recall costs.
 */
export function packHits(hits: readonly RecalledHit[]): string {
  return hits.map(({ id, score }) => packId(id) + packScore(score)).join('');
}

/** A hit as it was packed, with the end of its id. */
export type UnpackedHit = { end: string; score: number | null };

export function unpackHits(packed: string): UnpackedHit[] {
  const hits: UnpackedHit[] = [];
  for (let start = 0; start + hitChars <= packed.length; start += hitChars) {
    const score = packed.slice(start + endChars, start + hitChars);
    const end = Buffer.from(packed.slice(start, start + endChars), 'base64url').toString('hex');
    hits.push({ end, score: score === noScore ? null : Number.parseInt(score, 36) / 1000 });
  }
  return hits;
}

/** How the hits of this memory begin. */
export function packId(id: string): string {
  return packEnd(idEndOf(id));
}

/** The beginnings of packed hits, see {@link packId}. */
export function listPackedIds(packed: string): string[] {
  const hits = Math.floor(packed.length / hitChars);
  return Array.from({ length: hits }, (_, at) =>
    packed.slice(at * hitChars, at * hitChars + endChars),
  );
}

/** The last group of a UUID. */
export function idEndOf(id: string): string {
  return id.slice(-12).toLowerCase();
}

const endChars = 8;
const hitChars = endChars + 2;
const noScore = '--';

function packEnd(end: string): string {
  return Buffer.from(end, 'hex').toString('base64url').padEnd(endChars, 'A').slice(0, endChars);
}

function packScore(score: number | null): string {
  return score === null
    ? noScore
    : Math.round(score * 1000)
        .toString(36)
        .padStart(2, '0');
}
