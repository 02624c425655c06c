import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { createPieceReader, type PieceReader } from './word-pieces.ts';

/** One vector for each word piece: `factors[n]` times the bytes of row n. */
export type StaticTable = {
  dimension: number;
  read: PieceReader;
  rows: Int8Array;
  factors: Float32Array;
};

const Header = z.object({
  format: z.literal(1),
  dimension: z.int().min(1),
  pieces: z.int().min(1),
  bytes: z.int(),
  sha256: z.string(),
});

/**
 * Reads a table that `tools/embedding/make.py` wrote: a line of JSON, the factors of the rows
 * (float32, little-endian), the rows (int8), and the pieces, one a line. Throws if the file is
 * missing or cut short, and with `verify`, which takes as long as the rest, if it was changed.
 */
export function readStaticTable(file: string, { verify = false } = {}): StaticTable {
  const content = readFileSync(file);
  const start = content.indexOf(0x0a) + 1;
  if (start === 0 || start > headerMaxBytes) throw new Error('it is not an embedding table');
  const { dimension, pieces, bytes, sha256 } = Header.parse(
    JSON.parse(content.toString('utf8', 0, start)),
  );
  const body = content.subarray(start);
  if (body.length !== bytes) throw new Error(`it has ${body.length} of ${bytes} bytes`);
  if (verify && createHash('sha256').update(body).digest('hex') !== sha256)
    throw new Error('its content does not match its hash');
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

const headerMaxBytes = 1024;
