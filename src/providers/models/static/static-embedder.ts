import { normalizeVector } from '../normalize-vector.ts';
import type { EnglishTable } from './english-table.ts';
import { codesOfPart, type OtherLanguagesTable } from './other-languages-table.ts';
import type { TextPieces } from './word-pieces.ts';

/**
 * The vector of a text, of length 1: the mean over the vectors of its word pieces (Model2Vec, after
 * Arora, Liang and Ma 2017). Null for a text of which the table knows too
 * few words, as of one in another language. Takes time in proportion to the
 * text: about 20 microseconds for a sentence.
 */
export function embedStatically(
  table: EnglishTable,
  text: string,
  { pieces, knownShare }: TextPieces = table.read(text),
): Float32Array | null {
  if (knownShare < knownShareMin) return null;
  const sum = new Float32Array(table.dimension);
  addPieces(sum, table, pieces);
  return toUnitVector(sum);
}

/**
 * The vector of a text in one of the other languages, in the same space; English words in it
 * count as they do in English. Null for a text of which the tables know too few words.
 */
export function embedOtherLanguage(
  table: OtherLanguagesTable,
  english: EnglishTable,
  { text, knownShareMin: min }: { text: string; knownShareMin: number },
): Float32Array | null {
  const { words, pieces, knownShare } = table.read(text, english.read);
  if (knownShare < min) return null;
  const sum = new Float32Array(table.dimension);
  for (const word of words) addWord(sum, table, word);
  addPieces(sum, english, pieces);
  return toUnitVector(sum);
}

function addPieces(
  sum: Float32Array,
  { dimension, rowOf, factors }: EnglishTable,
  pieces: readonly number[],
): void {
  for (const piece of pieces) {
    const factor = factors[piece] ?? 0;
    const row = rowOf(piece);
    for (let at = 0; at < dimension; at += 1) {
      sum[at] = (sum[at] ?? 0) + factor * (row[at] ?? 0);
    }
  }
}

/** A part holds every value of a row whose number leaves the same remainder. */
function addWord(sum: Float32Array, table: OtherLanguagesTable, word: number): void {
  const { dimension, parts, codebook, codes, lengths, step } = table;
  const valuesOfPart = dimension / parts;
  const factor = step * (lengths[word] ?? 0);
  for (let part = 0; part < parts; part += 1) {
    const code = codes[word * parts + part] ?? 0;
    const start = (part * codesOfPart + code) * valuesOfPart;
    for (let at = 0; at < valuesOfPart; at += 1) {
      const to = at * parts + part;
      sum[to] = (sum[to] ?? 0) + factor * (codebook[start + at] ?? 0);
    }
  }
}

function toUnitVector(sum: Float32Array): Float32Array | null {
  const unit = normalizeVector(sum);
  // Only zeros cannot be scaled.
  return unit === sum ? null : unit;
}

/** 99 of 100 texts in English have more, and one in five in German (test/search/paraphrase). */
export const knownShareMin = 0.5;
