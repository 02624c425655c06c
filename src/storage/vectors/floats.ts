/** Reads vectors that are not at hand, of one length; those that are gone are left out. */
export type LoadVectors = (keys: readonly number[]) => Promise<LoadedVectors>;

/** The numbers of all of them lie side by side, in the order of the keys. */
export type LoadedVectors = { keys: readonly number[]; numbers: Float32Array };

/** Vectors as they are stored, at hand in this process within a bound of memory. */
export type FloatCache = {
  /** The vectors of these keys in their order; undefined where one is gone. */
  get(keys: readonly number[], load: LoadVectors): Promise<(Float32Array | undefined)[]>;
  /** Bytes that they take. */
  bytes(): number;
};

/** What the engine needs for a vector besides its numbers, about. */
const overheadBytes = 250;

/**
 * A key's vector never changes: who writes, and in which process, needs no telling. What has not
 * been asked for while half of the room was filled anew makes place.
 */
export function createFloatCache({ max_bytes }: { max_bytes: number }): FloatCache {
  let young = new Map<number, Float32Array>();
  let old = new Map<number, Float32Array>();
  let youngBytes = 0;
  let oldBytes = 0;

  const keep = (key: number, vector: Float32Array): void => {
    const size = sizeOf(vector);
    if (youngBytes + size > max_bytes / 2) {
      old = young;
      oldBytes = youngBytes;
      young = new Map();
      youngBytes = 0;
    }
    young.set(key, vector);
    youngBytes += size;
  };
  const find = (key: number): Float32Array | undefined => {
    const known = young.get(key);
    if (known !== undefined) return known;
    const aged = old.get(key);
    if (aged === undefined) return undefined;
    old.delete(key);
    oldBytes -= sizeOf(aged);
    // On its own from now on: as a part of what it was read with, it would hold on to all of it.
    keep(key, aged.slice());
    return aged;
  };

  return {
    get: async (keys, load) => {
      const found = keys.map(find);
      const missing = keys.filter((_, index) => found[index] === undefined);
      if (missing.length === 0) return found;
      const read = new Map<number, Float32Array>();
      const loaded = await load(missing);
      const length = loaded.numbers.length / Math.max(1, loaded.keys.length);
      for (const [index, key] of loaded.keys.entries()) {
        const vector = loaded.numbers.subarray(index * length, (index + 1) * length);
        read.set(key, vector);
        // Another search may have read it meanwhile.
        if (!young.has(key)) keep(key, vector);
      }
      return keys.map((key, index) => found[index] ?? read.get(key));
    },
    bytes: () => youngBytes + oldBytes,
  };
}

function sizeOf({ byteLength }: Float32Array): number {
  return byteLength + overheadBytes;
}
