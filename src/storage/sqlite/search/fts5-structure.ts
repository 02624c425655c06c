import { sql } from 'kysely';
import type { Database } from '../../sql/dialect.ts';

/** A segment of the index: FTS5 writes and merges segments, and never changes one. */
export type Fts5Segment = {
  /** Unique among all past and future segments. */
  name: string;
  /** Memories that were in it when it was written. */
  entries: number;
  /** How many of them are deleted: each match of a search is checked against these. */
  deleted: number;
};

export type Fts5Structure = {
  segments: Fts5Segment[];
  /** A merge is in progress, and its result so far is among the segments. */
  isMerging: boolean;
  /** Differs after every change of the index. */
  state: string;
};

/** Reads the list of segments: one small row. */
export async function readFts5Structure(db: Database): Promise<Fts5Structure> {
  // FTS5 stores it under this id: https://www.sqlite.org/fts5.html#fts5_data_structures
  const query = sql<{ block: Uint8Array }>`select block from memory_fts_data where id = 10`;
  const { rows } = await query.execute(db);
  const block = rows[0]?.block;
  return block === undefined ? emptyStructure : decodeStructure(Buffer.from(block));
}

const emptyStructure: Fts5Structure = { segments: [], isMerging: false, state: '' };

/** Follows the first number if segments record deletions: always the case here. */
const deletesTrackedMarker = 'ff000001';

function decodeStructure(block: Buffer): Fts5Structure {
  const kind = block.subarray(4, 8).toString('hex');
  if (kind !== deletesTrackedMarker) return emptyStructure;
  const next = readVarints(block, 8);
  const levels = next();
  next(); // number of segments
  next(); // number of pages ever written
  let isMerging = false;
  const segments: Fts5Segment[] = [];
  for (let level = 0; level < levels; level += 1) {
    isMerging = next() > 0 || isMerging;
    for (let left = next(); left > 0; left -= 1) segments.push(readSegment(next));
  }
  return { segments, isMerging, state: block.toString('base64') };
}

function readSegment(next: () => number): Fts5Segment {
  const [id] = [next(), next(), next()]; // first and last page
  const origins = [next(), next()];
  next(); // pages of deleted rows
  const deleted = next();
  return { name: `${id} ${origins.join(' ')}`, deleted, entries: next() };
}

/** SQLite's varints: seven bits a byte, most significant first; all here are small. */
function readVarints(block: Buffer, start: number): () => number {
  let at = start;
  return () => {
    for (let value = 0; ; ) {
      const byte = block[at] ?? 0;
      at += 1;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
  };
}
