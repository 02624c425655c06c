import { sql } from 'kysely';
import type { Database } from '../../sql/dialect.ts';

/** A part of the index: FTS5 writes new ones and merges them, and alters none. */
export type Fts5Segment = {
  /** Tells it from all that there were and will be. */
  name: string;
  /** Memories that were in it when it was written. */
  entries: number;
  /** Those of them that are deleted: each match of a search is looked up among them. */
  deleted: number;
};

export type Fts5Structure = {
  segments: Fts5Segment[];
  /** A merge has begun, and what there is of its outcome is among the segments. */
  isMerging: boolean;
  /** Differs after every change of the index. */
  state: string;
};

/** Reads of which segments the index consists: one small row. */
export async function readFts5Structure(db: Database): Promise<Fts5Structure> {
  // FTS5 keeps it under this number: https://www.sqlite.org/fts5.html#fts5_data_structures
  const query = sql<{ block: Uint8Array }>`select block from memory_fts_data where id = 10`;
  const { rows } = await query.execute(db);
  const block = rows[0]?.block;
  return block === undefined ? emptyStructure : decodeStructure(Buffer.from(block));
}

const emptyStructure: Fts5Structure = { segments: [], isMerging: false, state: '' };

/** What stands behind the first number where segments tell what is deleted: here always. */
const deletesTrackedMarker = 'ff000001';

function decodeStructure(block: Buffer): Fts5Structure {
  const kind = block.subarray(4, 8).toString('hex');
  if (kind !== deletesTrackedMarker) return emptyStructure;
  const next = readVarints(block, 8);
  const levels = next();
  next(); // segments in all
  next(); // pages ever written
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
  next(); // pages of what is deleted
  const deleted = next();
  return { name: `${id} ${origins.join(' ')}`, deleted, entries: next() };
}

/** SQLite's numbers: seven bits a byte, most significant first; all here are small. */
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
