import { dotProduct } from './quantize.ts';

/** Reads vectors that are not at hand, of one length; those that are gone are left out. */
export type LoadVectors = (keys: readonly number[]) => Promise<LoadedVectors>;

/** The numbers of all of them lie side by side, in the order of the keys. */
export type LoadedVectors = { keys: readonly number[]; numbers: Float32Array };

/** Vectors as they are stored, at hand in this process within a bound of memory. */
export type FloatCache = {
  /**
   * The dot products of a vector with those of different keys, which are as long, in the order of
   * the keys; NaN where one is gone.
   */
  compare(vector: Float32Array, keys: readonly number[], load: LoadVectors): Promise<Float64Array>;
  /** Has those of the keys at hand that there is room for, each of so many numbers. */
  preload(keys: readonly number[], length: number, load: LoadVectors): Promise<void>;
  /** Bytes that they take. */
  bytes(): number;
};

/** Room is taken in pieces, of this many bytes at most. */
const slabBytes = 4 * 1024 * 1024;
/** What is read at once: it fits the processor's cache, and is soon collected. */
const readBatchBytes = 384 * 1024;
/** What it takes to know where a vector lies, about. */
const overheadBytes = 50;

/** What has to be read is read so many vectors of this length at once. */
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
      /** The places of keys that have still to be read. */
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
 * A key's vector never changes: who writes, and in which process, needs no telling. What has not
 * been asked for while half of the room was filled anew makes place. Vectors are copied into room
 * that is used again: with an object for each, the collector of garbage had more to do than they
 * take to be compared.
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
    /** The dot product, or NaN where it is not at hand. */
    compare: (vector: Float32Array, key: number): number => {
      const known = young.find(key, vector.length);
      if (known !== undefined) return dotProduct(vector, known);
      const aged = old.find(key, vector.length);
      if (aged === undefined) return Number.NaN;
      // Before it is kept anew, which may write over it.
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
  /** Where the vectors of keys begin, counted through all pieces. */
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
    /** False where there is no room left; what no piece could hold is not kept. */
    keep: (keys: readonly number[], numbers: Float32Array): boolean => {
      if (numbers.length > size) return true;
      // Another search has read them meanwhile, or there are none.
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
    /** The pieces stay, for what comes next. */
    empty: (): void => {
      places.clear();
      next = 0;
    },
    bytes: () => bytesOf(pieces.length, places.size),
  };
}
