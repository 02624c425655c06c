import * as z from 'zod';
import { type OpenTableFile, openTableFile, readTableFile, TableHeader } from './table-file.ts';
import { createPieceReader, type PieceReader } from './word-pieces.ts';

/** One vector for each word piece: `factors[n]` times the bytes of row n. */
export type EnglishTable = {
  dimension: number;
  read: PieceReader;
  rowOf: (piece: number) => Int8Array;
  factors: Float32Array;
};

const Header = TableHeader.extend({ pieces: z.int().min(1) });

/**
 * Opens the table that `tools/embedding/make.py` wrote: the factors of the rows (float32,
 * little-endian), the rows (int8), and the pieces, one a line. The rows, nearly all of it, are read
 * when they are needed.
 */
export function readEnglishTable(file: string, { verify = false } = {}): EnglishTable {
  if (verify) readTableFile(file, Header, { verify });
  const opened = openTableFile(file, Header);
  try {
    const { dimension, pieces, bytes } = opened.header;
    const [rowsAt, wordsAt] = [pieces * 4, pieces * 4 + pieces * dimension];
    const words = opened
      .read(wordsAt, bytes - wordsAt)
      .toString('utf8')
      .split('\n');
    if (words.length !== pieces) throw new Error(`it has ${words.length} of ${pieces} pieces`);
    return {
      dimension,
      read: createPieceReader(words),
      rowOf: createRowReader(opened, { rowsAt, count: pieces, dimension }),
      factors: new Float32Array(opened.read(0, rowsAt).buffer),
    };
  } catch (error) {
    opened.close();
    throw error;
  }
}

type RowPlaces = { rowsAt: number; count: number; dimension: number };

/**
 * Reads the rows of the first texts one by one, so that a short process with one question does not
 * read seven megabytes, and then all that are left at once. The file stays open until then: an
 * update may put another one in its place.
 */
function createRowReader(
  { read, close }: OpenTableFile<unknown>,
  { rowsAt, count, dimension }: RowPlaces,
): EnglishTable['rowOf'] {
  const single = new Map<number, Int8Array>();
  let all: Int8Array | null = null;

  const bytesOf = (first: number, rows: number) =>
    new Int8Array(read(rowsAt + first * dimension, rows * dimension).buffer);

  return (piece) => {
    if (all === null && single.size < singleRowsMax) {
      const row = single.get(piece) ?? bytesOf(piece, 1);
      single.set(piece, row);
      return row;
    }
    if (all === null) {
      all = bytesOf(0, count);
      single.clear();
      close();
    }
    return all.subarray(piece * dimension, (piece + 1) * dimension);
  };
}

/** The rows of about twenty sentences. */
const singleRowsMax = 200;
