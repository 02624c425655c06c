import { anyLanguage } from '../languages/all-languages.ts';
import { capitalized } from '../sentences.ts';

/**
 * Splits a sentence into clauses: after a comma, a semicolon, a dash or a bracket, and before a
 * conjunction. Pieces of one or two words stay with their neighbour. Joined, the clauses are the
 * sentence.
 */
export function splitClauses(sentence: string): string[] {
  const clauses: string[] = [];
  for (const piece of splitPieces(sentence)) {
    const last = clauses.at(-1);
    const joins = last !== undefined && (sizeOf(piece) < clauseMin || sizeOf(last) < clauseMin);
    if (joins) clauses[clauses.length - 1] = last + piece;
    else clauses.push(piece);
  }
  return clauses;
}

/** The same, however short a piece is. */
export function splitPieces(sentence: string): string[] {
  return sentence.split(clauseStart);
}

/** In words; a word of a script without spaces has about two characters. */
const clauseMin = 3;

function sizeOf(text: string): number {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!spaceless.test(text)) return words.length;
  return words.join('').length / 2;
}

const spaceless = /[\u3040-\u30ff\u3400-\u9fff]/u;

const conjunctions = anyLanguage(({ sentences }) => sentences.conjunctions);

const clauseStart = new RegExp(
  `(?<=[,;:–—]\\s)|(?<=\\s-\\s)|(?<=\\)\\s)|(?<=\\s)(?=\\()|(?<=[、，；：])|` +
    `(?<=\\s)(?=(?:${conjunctions})\\s)`,
  'giu',
);

/** A clause as a statement: without the conjunction before it and the mark after it. */
export function clauseAsStatement(clause: string): string {
  const bare = clause
    .trim()
    .replace(leadingConjunction, '')
    .replace(/^[\s(,;:–—-]+|[\s),;:?？–—-]+$/gu, '');
  return capitalized(bare);
}

const leading = anyLanguage(({ sentences }) => sentences.leading);
const leadingConjunction = new RegExp(`^(?:(?:${conjunctions}|${leading})\\s+)+`, 'iu');

/** A relative clause says nothing without what it is about. */
export function isRelativeClause(clause: string): boolean {
  return relative.test(clause);
}

const relatives = anyLanguage(({ sentences }) => sentences.relatives);
const relative = new RegExp(`^\\s*(?:${relatives})(?!\\p{L})`, 'iu');
