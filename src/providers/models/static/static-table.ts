import * as z from 'zod';
import { readTableFile, TableHeader } from './table-file.ts';
import { createPieceReader, type PieceReader } from './word-pieces.ts';

/** One vector for each word piece: `factors[n]` times the bytes of row n. */
export type StaticTable = {
  dimension: number;
  read: PieceReader;
  rows: Int8Array;
  factors: Float32Array;
};

const Header = TableHeader.extend({ pieces: z.int().min(1) });

/**
 * Reads the table that `tools/embedding/make.py` wrote: the factors of the rows (float32,
 * little-endian), the rows (int8), and the pieces, one a line.
 */
export function readStaticTable(file: string, options: { verify?: boolean } = {}): StaticTable {
  const { header, body } = readTableFile(file, Header, options);
  const { dimension, pieces } = header;
  const [rowsAt, wordsAt] = [pieces * 4, pieces * 4 + pieces * dimension];
  const words = body.toString('utf8', wordsAt).split('\n');
  if (words.length !== pieces) throw new Error(`it has ${words.length} of ${pieces} pieces`);
  return {
    dimension,
    read: createPieceReader(words),
    rows: new Int8Array(body.buffer, body.byteOffset + rowsAt, pieces * dimension),
    // Copied, because a view of floats must begin at a multiple of 4 bytes.
    factors: new Float32Array(body.buffer.slice(body.byteOffset, body.byteOffset + rowsAt)),
  };
}
