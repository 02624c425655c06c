import type { createTopK, KeyedValues } from './top-k.ts';

/** Blocks to scan in one call. */
export type ScanRequest = {
  /** The query, with two bytes per component, padded like a row. */
  query: Int16Array;
  /** A component of the query as a float is its integer times this. */
  scale: number;
  /** For each block, its start in the kernel's memory and its number of rows. */
  places: Int32Array;
  /** The number of rows that a block has room for. */
  capacity: number;
  /** How many of the nearest are wanted, and their minimum. */
  limit: number;
  least: number;
};

/** Keys of the nearest vectors, with their similarity. */
export type ScanResult = KeyedValues;

/** The memory and function with which a thread scans. */
export type ScanBuffers = {
  /** Takes query, rows, count, width and out, as in `kernel.wat`. */
  dots: (...numbers: number[]) => void;
  memory: { readonly buffer: SharedArrayBuffer };
  /** The offset of this thread's query and products in the memory. */
  query: number;
  out: number;
};

/**
 * Finds the nearest vectors of some blocks. It also runs in threads from its source text, so it
 * uses only its arguments. A block has room for keys, then scales, then rows.
 */
export function scanVectors(
  { dots, memory, query: queryAt, out }: ScanBuffers,
  { query, scale, places, capacity, limit, least: atLeast }: ScanRequest,
  { bestOf, allowed }: { bestOf: typeof createTopK; allowed: ReadonlySet<number> | null },
): ScanResult {
  const { buffer } = memory;
  const width = query.length;
  new Int16Array(buffer, queryAt, width).set(query);
  const best = bestOf(limit);
  for (let index = 0; index < places.length; index += 2) {
    const at = places[index] ?? 0;
    const count = places[index + 1] ?? 0;
    dots(queryAt, at + 12 * capacity, count, width, out);
    const products = new Int32Array(buffer, out, count);
    const keys = new Float64Array(buffer, at, count);
    const scales = new Float32Array(buffer, at + 8 * capacity, count);
    let least = Math.max(atLeast, best.threshold());
    for (let row = 0; row < count; row += 1) {
      const value = (products[row] ?? 0) * (scales[row] ?? 0) * scale;
      // False for a deleted vector, whose scale is not a number.
      if (!(value >= least)) continue;
      const key = keys[row] ?? 0;
      if (allowed !== null && !allowed.has(key)) continue;
      best.add(key, value);
      least = Math.max(atLeast, best.threshold());
    }
  }
  return best.entries();
}
