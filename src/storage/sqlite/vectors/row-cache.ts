import { partsOf } from '../../../turns.ts';
import { type EncodedVectors, encodedBytes, scaleBytes } from '../../sql/vector-codec.ts';
import { dotProduct, type QuantizedQuery } from './quantize.ts';

/** Reads uncached vectors of one dimension; omits those that no longer exist. */
export type ReadRows = (keys: readonly number[]) => Promise<EncodedVectors>;

/** Encoded vectors, cached in this process up to a memory limit. */
export type RowCache = {
  /**
   * The similarities of a query with the vectors of other keys, in the order of the keys; not a
   * number if a vector no longer exists. `known` tells those that need no look-up, or null.
   */
  compare(
    query: QuantizedQuery,
    keys: readonly number[],
    options: { read: ReadRows; known: (key: number) => number | null },
  ): Promise<Float64Array>;
  /** Caches as many vectors of these keys as fit. */
  preload(keys: readonly number[], dimension: number, read: ReadRows): Promise<void>;
  /** The memory in use, in bytes. */
  bytes(): number;
};

/** Memory is allocated in slabs of at most this size. */
const slabBytes = 1024 * 1024;
/** The size of one read: fits the processor's cache, and is soon collected. */
const readBatchBytes = 96 * 1024;
/** Approximate bookkeeping per vector. */
const overheadBytes = 50;

export function createRowCache({ max_bytes }: { max_bytes: number }): RowCache {
  const generations = createGenerations(max_bytes);
  /** How many vectors are read at once. */
  const batchSize = (dimension: number) =>
    Math.max(
      1,
      Math.floor(Math.min(readBatchBytes, generations.slabSize) / encodedBytes(dimension)),
    );

  return {
    compare: async (query, keys, { read, known }) => {
      const { dimension } = query;
      const atOnce = batchSize(dimension);
      const similarities = new Float64Array(keys.length);
      /** The indexes of keys that are not cached. */
      const missing = new Map<number, number>();
      const readMissing = async () => {
        const vectors = await read([...missing.keys()]);
        const slab = slabOf(vectors.rows);
        for (const [row, key] of vectors.keys.entries()) {
          const value = compareAt(slab, row * encodedBytes(dimension), query);
          similarities[missing.get(key) ?? -1] = value;
        }
        generations.keep(vectors);
        missing.clear();
      };
      for (const [index, key] of keys.entries()) {
        const similarity = known(key) ?? generations.compare(query, key);
        similarities[index] = similarity ?? Number.NaN;
        if (similarity === null) missing.set(key, index);
        if (missing.size === atOnce) await readMissing();
      }
      if (missing.size > 0) await readMissing();
      return similarities;
    },
    preload: async (keys, dimension, read) => {
      const missing = keys.filter((key) => !generations.has(key));
      for (const some of partsOf(missing, batchSize(dimension))) generations.keep(await read(some));
    },
    bytes: generations.bytes,
  };
}

/** A piece of memory with encoded vectors in it. */
type Slab = { bytes: Int8Array; view: DataView };

function slabOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Slab {
  const bytes = new Int8Array(buffer, byteOffset, byteLength);
  return { bytes, view: new DataView(buffer, byteOffset, byteLength) };
}

/** The similarity with the vector at a place. */
function compareAt({ bytes, view }: Slab, at: number, query: QuantizedQuery): number {
  return dotProduct(query, bytes, at + scaleBytes) * view.getFloat32(at, true) * query.scale;
}

/**
 * The vector of a key never changes, so writes need no invalidation. Vectors that were not used
 * while half of the memory was refilled are evicted. They are copied into reused memory: with an
 * object for each, garbage collection took longer than comparing them.
 */
function createGenerations(max_bytes: number) {
  let young = createGeneration(max_bytes / 2);
  let old = createGeneration(max_bytes / 2);

  const keep = (vectors: EncodedVectors): void => {
    if (young.keep(vectors)) return;
    [young, old] = [old, young];
    young.empty();
    young.keep(vectors);
  };
  return {
    keep,
    has: (key: number): boolean => young.has(key) || old.has(key),
    /** The similarity, or null if the vector is not cached. */
    compare: (query: QuantizedQuery, key: number): number | null => {
      const youngSlot = young.find(key);
      if (youngSlot !== null) return compareAt(youngSlot.slab, youngSlot.at, query);
      const aged = old.find(key);
      if (aged === null) return null;
      // Before it is stored again, which may overwrite it.
      const similarity = compareAt(aged.slab, aged.at, query);
      const { buffer } = aged.slab.bytes;
      const rows = new Uint8Array(buffer, aged.at, encodedBytes(query.dimension));
      keep({ keys: [key], rows });
      return similarity;
    },
    slabSize: young.slabSize,
    bytes: () => young.bytes() + old.bytes(),
  };
}

function createGeneration(max_bytes: number) {
  const slabSize = Math.floor(Math.min(slabBytes, max_bytes / 2));
  const slabs: Slab[] = [];
  /** The positions of the keys' vectors, counted across all slabs. */
  const places = new Map<number, number>();
  let next = 0;
  const bytesOf = (taken: number, vectors: number) => taken * slabSize + vectors * overheadBytes;

  return {
    slabSize,
    has: (key: number): boolean => places.has(key),
    find: (key: number): { slab: Slab; at: number } | null => {
      const place = places.get(key);
      const slab = place === undefined ? undefined : slabs[Math.floor(place / slabSize)];
      return place === undefined || slab === undefined ? null : { slab, at: place % slabSize };
    },
    /** False if there is no room left; a vector larger than a slab is not kept. */
    keep: ({ keys, rows }: EncodedVectors): boolean => {
      if (rows.length > slabSize) return true;
      // Another search has loaded them in the meantime, or there are none.
      if (keys.every((key) => places.has(key))) return true;
      const left = slabSize - (next % slabSize);
      const place = left < rows.length ? next + left : next;
      const number = Math.floor(place / slabSize);
      const taken = Math.max(slabs.length, number + 1);
      if (bytesOf(taken, places.size + keys.length) > max_bytes) return false;
      const slab = slabs[number] ?? slabOf(new Uint8Array(slabSize));
      slabs[number] = slab;
      slab.bytes.set(rows, place % slabSize);
      const bytes = rows.length / keys.length;
      for (const [row, key] of keys.entries()) places.set(key, place + row * bytes);
      next = place + rows.length;
      return true;
    },
    /** Keeps the slabs for reuse. */
    empty: (): void => {
      places.clear();
      next = 0;
    },
    bytes: () => bytesOf(slabs.length, places.size),
  };
}
