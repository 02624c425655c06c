import type { createTopK, KeyedValues } from './top-k.ts';

/** Segments to be scanned at a stretch. */
export type ScanRequest = {
  /** Each component of the query twice as wide as in a row, as many as a row has. */
  query: Int16Array;
  /** A component of the query in floats is a whole number times this. */
  scale: number;
  /** Of each segment where it begins in the kernel's memory, and how many rows it has. */
  places: Int32Array;
  /** How many of the nearest are wanted, and what they must reach. */
  limit: number;
  least: number;
};

/** Keys of the nearest vectors with their similarity as far as bytes can tell. */
export type ScanResult = KeyedValues;

/** What a thread scans with. */
export type ScanBuffers = {
  /** Takes query, rows, count, width and out, as in `kernel.wat`. */
  dots: (...numbers: number[]) => void;
  memory: { readonly buffer: SharedArrayBuffer };
  /** Where in the memory the query and the products go, which belong to this thread. */
  query: number;
  out: number;
};

/**
 * The nearest of some segments. It also runs in threads that are given its text, so it uses nothing
 * but its arguments. A segment is its rows, then their keys, then their scales.
 */
export function scanVectors(
  { dots, memory, query: queryAt, out }: ScanBuffers,
  { query, scale, places, limit, least: atLeast }: ScanRequest,
  { bestOf, allowed }: { bestOf: typeof createTopK; allowed: ReadonlySet<number> | null },
): ScanResult {
  const { buffer } = memory;
  const width = query.length;
  new Int16Array(buffer, queryAt, width).set(query);
  const best = bestOf(limit);
  for (let index = 0; index < places.length; index += 2) {
    const at = places[index] ?? 0;
    const count = places[index + 1] ?? 0;
    dots(queryAt, at, count, width, out);
    const products = new Int32Array(buffer, out, count);
    const keys = new Float64Array(buffer, at + count * width, count);
    const scales = new Float32Array(buffer, at + count * (width + 8), count);
    let least = Math.max(atLeast, best.threshold());
    for (let row = 0; row < count; row += 1) {
      const value = (products[row] ?? 0) * (scales[row] ?? 0) * scale;
      if (value < least) continue;
      const key = keys[row] ?? 0;
      if (allowed !== null && !allowed.has(key)) continue;
      best.add(key, value);
      least = Math.max(atLeast, best.threshold());
    }
  }
  return best.entries();
}
