import { dotProduct } from './quantize.ts';

/** Loads uncached vectors of one length; omits those that no longer exist. */
export type LoadVectors = (keys: readonly number[]) => Promise<LoadedVectors>;

/** The numbers of all vectors in one array, in the order of the keys. */
export type LoadedVectors = { keys: readonly number[]; numbers: Float32Array };

/** Stored vectors, cached in this process up to a memory limit. */
export type FloatCache = {
  /**
   * The dot products of a vector with those of other keys of the same length, in the order of the
   * keys; NaN if a vector no longer exists.
   */
  compare(vector: Float32Array, keys: readonly number[], load: LoadVectors): Promise<Float64Array>;
  /** Caches as many vectors of these keys as fit, each with `length` numbers. */
  preload(keys: readonly number[], length: number, load: LoadVectors): Promise<void>;
  /** The memory in use, in bytes. */
  bytes(): number;
};

/** Memory is allocated in slabs of at most this size. */
const slabBytes = 4 * 1024 * 1024;
/** The size of one read: fits the processor's cache, and is soon collected. */
const readBatchBytes = 384 * 1024;
/** Approximate bookkeeping per vector. */
const overheadBytes = 50;

/** How many vectors of this length are read at once. */
function readBatchSize(length: number, pieceBytes: number): number {
  const bytes = length * Float32Array.BYTES_PER_ELEMENT;
  return Math.max(1, Math.floor(Math.min(readBatchBytes, pieceBytes) / bytes));
}

export function createFloatCache({ max_bytes }: { max_bytes: number }): FloatCache {
  const room = createGenerations(max_bytes);

  return {
    compare: async (vector, keys, load) => {
      const { length } = vector;
      const atOnce = readBatchSize(length, room.pieceBytes);
      const products = new Float64Array(keys.length);
      /** The indexes of keys that are not cached. */
      const missing = new Map<number, number>();
      const readMissing = async () => {
        const { keys: found, numbers } = await load([...missing.keys()]);
        for (const [row, key] of found.entries()) {
          const stored = numbers.subarray(row * length, (row + 1) * length);
          products[missing.get(key) ?? -1] = dotProduct(vector, stored);
        }
        room.keep(found, numbers);
        missing.clear();
      };
      for (const [index, key] of keys.entries()) {
        const product = room.compare(vector, key);
        products[index] = product;
        if (Number.isNaN(product)) missing.set(key, index);
        if (missing.size === atOnce) await readMissing();
      }
      if (missing.size > 0) await readMissing();
      return products;
    },
    preload: async (keys, length, load) => {
      const missing = keys.filter((key) => !room.has(key));
      const atOnce = readBatchSize(length, room.pieceBytes);
      for (let start = 0; start < missing.length; start += atOnce) {
        const { keys: found, numbers } = await load(missing.slice(start, start + atOnce));
        room.keep(found, numbers);
      }
    },
    bytes: room.bytes,
  };
}

/**
 * The vector of a key never changes, so writes need no invalidation. Vectors that were not used
 * while half of the memory was refilled are evicted. They are copied into reused memory: with an
 * object for each, garbage collection took longer than comparing them.
 */
function createGenerations(max_bytes: number) {
  let young = createGeneration(max_bytes / 2);
  let old = createGeneration(max_bytes / 2);

  const keep = (keys: readonly number[], numbers: Float32Array): void => {
    if (young.keep(keys, numbers)) return;
    [young, old] = [old, young];
    young.empty();
    young.keep(keys, numbers);
  };
  return {
    keep,
    has: (key: number): boolean => young.has(key) || old.has(key),
    /** The dot product, or NaN if the vector is not cached. */
    compare: (vector: Float32Array, key: number): number => {
      const known = young.find(key, vector.length);
      if (known !== undefined) return dotProduct(vector, known);
      const aged = old.find(key, vector.length);
      if (aged === undefined) return Number.NaN;
      // Before it is stored again, which may overwrite it.
      const product = dotProduct(vector, aged);
      keep([key], aged);
      return product;
    },
    pieceBytes: young.pieceBytes,
    bytes: () => young.bytes() + old.bytes(),
  };
}

function createGeneration(max_bytes: number) {
  const size = Math.floor(Math.min(slabBytes, max_bytes / 2) / Float32Array.BYTES_PER_ELEMENT);
  const pieces: Float32Array[] = [];
  /** Where the vectors of keys begin, counted across all slabs. */
  const places = new Map<number, number>();
  let next = 0;
  const bytesOf = (taken: number, known: number) =>
    taken * size * Float32Array.BYTES_PER_ELEMENT + known * overheadBytes;

  return {
    pieceBytes: size * Float32Array.BYTES_PER_ELEMENT,
    has: (key: number): boolean => places.has(key),
    find: (key: number, length: number): Float32Array | undefined => {
      const place = places.get(key);
      if (place === undefined) return undefined;
      return pieces[Math.floor(place / size)]?.subarray(place % size, (place % size) + length);
    },
    /** False if there is no room left; a vector larger than a slab is not kept. */
    keep: (keys: readonly number[], numbers: Float32Array): boolean => {
      if (numbers.length > size) return true;
      // Another search has loaded them in the meantime, or there are none.
      if (keys.every((key) => places.has(key))) return true;
      const left = size - (next % size);
      const place = left < numbers.length ? next + left : next;
      const number = Math.floor(place / size);
      const taken = Math.max(pieces.length, number + 1);
      if (bytesOf(taken, places.size + keys.length) > max_bytes) return false;
      const piece = pieces[number] ?? new Float32Array(size);
      pieces[number] = piece;
      piece.set(numbers, place % size);
      const length = numbers.length / keys.length;
      for (const [row, key] of keys.entries()) places.set(key, place + row * length);
      next = place + numbers.length;
      return true;
    },
    /** Keeps the slabs for reuse. */
    empty: (): void => {
      places.clear();
      next = 0;
    },
    bytes: () => bytesOf(pieces.length, places.size),
  };
}
