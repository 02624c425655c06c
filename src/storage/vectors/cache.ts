import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Best } from './best.ts';
import { createKernel, type Held } from './kernel.ts';
import { quantize } from './quantize.ts';
import { decodeSegment } from './segment.ts';

export type ScanOptions = {
  vector: Float32Array;
  /** Where keys go, with their similarity as far as bytes can tell. */
  found: Best;
  /** The only keys that count; null is all. */
  allowed: ReadonlySet<number> | null;
  /** Reads a segment that is not at hand; undefined where it is gone. */
  load: (segment: number) => Promise<{ data: Uint8Array; count: number } | undefined>;
};

/** Segments at hand in this process, within a bound of memory. */
export type SegmentCache = {
  /**
   * Compares the vectors of these segments with the query; segments are read where necessary. False
   * when one of them is gone, as another takes its place.
   */
  scan(segments: readonly number[], options: ScanOptions): Promise<boolean>;
  /** Bytes that segments take. */
  bytes(): number;
};

/** Scanned in about half a millisecond; then it is the turn of others, such as of adds. */
const segmentsAtOnce = 32;

type Entry = { held: Held; keys: Float64Array; scales: Float32Array };

export function createSegmentCache(options: { max_bytes: number }): SegmentCache {
  const kernel = late(() => createKernel(options));
  /** Least recently used first. A segment never changes: what replaces it has another key. */
  const entries = new Map<number, Entry>();

  const hold = (rows: Int8Array): Held => {
    for (;;) {
      const held = kernel().hold(rows);
      if (held !== null) return held;
      const [oldest] = entries;
      if (oldest === undefined) throw new Error('no room for one segment of vectors');
      entries.delete(oldest[0]);
      kernel().release(oldest[1].held);
    }
  };
  const entryOf = async (segment: number, load: ScanOptions['load']): Promise<Entry | null> => {
    const known = entries.get(segment);
    if (known !== undefined) {
      entries.delete(segment);
      entries.set(segment, known);
      return known;
    }
    const stored = await load(segment);
    if (stored === undefined) return null;
    const other = entries.get(segment);
    if (other !== undefined) return other;
    const { keys, scales, rows } = decodeSegment(stored.data, stored.count);
    const entry = { held: hold(rows), keys, scales };
    entries.set(segment, entry);
    return entry;
  };

  return {
    scan: async (segments, { vector, load, ...into }) => {
      const { values, scale } = quantize(vector);
      let isWhole = true;
      for (const [index, segment] of segments.entries()) {
        if (index % segmentsAtOnce === segmentsAtOnce - 1) await turnOfOthers();
        const entry = await entryOf(segment, load);
        if (entry === null) isWhole = false;
        if (entry === null) continue;
        // From here to the end of the turn nobody can take the entry's place away.
        const dots = kernel().dots(values, entry.held, entry.keys.length);
        collect(dots, { ...entry, ...into, scale });
      }
      return isWhole;
    },
    bytes: () => (entries.size === 0 ? 0 : kernel().bytes()),
  };
}

type Into = Entry & Pick<ScanOptions, 'found' | 'allowed'> & { scale: number };

function collect(dots: Int32Array, { keys, scales, scale, found, allowed }: Into): void {
  let least = found.least();
  for (let row = 0; row < dots.length; row += 1) {
    const value = (dots[row] ?? 0) * (scales[row] ?? 0) * scale;
    if (value < least) continue;
    const key = keys[row] ?? 0;
    if (allowed !== null && !allowed.has(key)) continue;
    found.add(key, value);
    least = found.least();
  }
}

/** Made with the first use: most stores hold no vectors. */
function late<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
