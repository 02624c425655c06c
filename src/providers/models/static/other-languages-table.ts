import * as z from 'zod';
import { readTableFile, TableHeader } from './table-file.ts';
import { createWordReader, type WordReader } from './words-of-languages.ts';

/**
 * Vectors of words in other languages than English, in the space of the English table. A row is a
 * byte for each of its parts, which names the values in the codebook (product quantization).
 */
export type OtherLanguagesTable = {
  dimension: number;
  parts: number;
  read: WordReader;
  /** By part, code and value. */
  codebook: Int8Array;
  codes: Uint8Array;
  /** How long each row is, in units of `step`. */
  lengths: Uint8Array;
  step: number;
};

const Header = TableHeader.extend({
  parts: z.int().min(1),
  words: z.int().min(1),
  step: z.number(),
});

/**
 * Reads the table that `tools/embedding/make_languages.py` wrote: the codebook (int8), the
 * lengths of the rows, their codes, and the words.
 */
export function readOtherLanguagesTable(
  file: string,
  options: { verify?: boolean } = {},
): OtherLanguagesTable {
  const { header, body } = readTableFile(file, Header, options);
  const { dimension, parts, words, step } = header;
  const lengthsAt = codesOfPart * dimension;
  const codesAt = lengthsAt + words;
  const wordsAt = codesAt + words * parts;
  const tableWords = readWords(body.toString('utf8', wordsAt));
  if (tableWords.length !== words) throw new Error(`it has ${tableWords.length} of ${words} words`);
  return {
    dimension,
    parts,
    read: createWordReader(tableWords),
    codebook: new Int8Array(body.buffer, body.byteOffset, lengthsAt),
    lengths: body.subarray(lengthsAt, codesAt),
    codes: body.subarray(codesAt, wordsAt),
    step,
  };
}

export const codesOfPart = 256;

/** In order; each line starts with how many letters it shares with the one before. */
function readWords(lines: string): string[] {
  let before = '';
  return lines.split('\n').map((line) => {
    before = before.slice(0, line.charCodeAt(0) - firstCount) + line.slice(1);
    return before;
  });
}

const firstCount = 0x20;
