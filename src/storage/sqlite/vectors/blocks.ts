import { type EncodedVectors, encodedBytes, scaleBytes } from '../../sql/vector-codec.ts';
import { type BlockViews, blockSize, type Kernel, type PageRange } from './kernel.ts';
import { dotProduct, paddedWidth, type QuantizedQuery } from './quantize.ts';

/** Reads the committed vectors of some keys, at most as many as a block has room for. */
export type ReadBlock = (range: { after: number; upTo: number }) => Promise<EncodedVectors>;

/** Vectors of successive keys. */
export type VectorBlock = {
  first: number;
  last: number;
  count: number;
  /** How many of them were found to be deleted. */
  gone: number;
  /** Null if it was evicted; it is read again by its range of keys. */
  held: HeldBlock | null;
};

/** `scans` is the number of running scans that need it in place. */
export type HeldBlock = PageRange &
  BlockViews & { count: number; scans: number; isReleased: boolean };

/** The vectors of a project and model, in the order of their keys, which only grow. */
export type BlockList = {
  dimension: number;
  blocks: VectorBlock[];
  /** Ends when nobody reads what is new: they take turns. */
  reading: Promise<void>;
};

export function createBlockList(dimension: number): BlockList {
  return { dimension, blocks: [], reading: Promise.resolve() };
}

export function countIn({ blocks }: BlockList): number {
  return blocks.reduce((sum, { count }) => sum + count, 0);
}

export type BlockMemory = ReturnType<typeof createBlockMemory>;

/** The blocks of this process in the kernel's memory; the least recently used are evicted. */
export function createBlockMemory(kernel: () => Kernel) {
  /** Least recently used first. */
  const held = new Set<VectorBlock>();

  /** A block that is being scanned is released by its last scan. */
  const release = (block: VectorBlock): void => {
    const { held: piece } = block;
    held.delete(block);
    block.held = null;
    if (piece === null) return;
    piece.isReleased = true;
    if (piece.scans === 0) kernel().release(piece);
  };
  /** False if everything that could be evicted is being scanned. */
  const evict = (): boolean => {
    for (const block of held) {
      if (block.held !== null && block.held.scans > 0) continue;
      release(block);
      return true;
    }
    return false;
  };
  /** Null if running scans occupy all memory. */
  const allocate = (block: VectorBlock, width: number): HeldBlock | null => {
    for (;;) {
      const piece = kernel().allocate(width);
      if (piece !== null) {
        block.held = { ...piece, count: 0, scans: 0, isReleased: false };
        held.add(block);
        return block.held;
      }
      if (held.size === 0) throw new Error('no room for one block of vectors');
      if (!evict()) return null;
    }
  };
  return {
    allocate,
    find: (block: VectorBlock): HeldBlock | null => {
      if (!held.delete(block)) return null;
      held.add(block);
      return block.held;
    },
    release,
    unpin: (piece: HeldBlock): void => unpin(piece, kernel()),
    count: () => held.size,
  };
}

/** Nobody evicts it until it is unpinned. */
export function pin(piece: HeldBlock): HeldBlock {
  piece.scans += 1;
  return piece;
}

function unpin(piece: HeldBlock, kernel: Kernel): void {
  piece.scans -= 1;
  if (piece.isReleased && piece.scans === 0) kernel.release(piece);
}

/** Reads the vectors after the last known one. */
export async function readNewest(
  list: BlockList,
  memory: BlockMemory,
  source: { read: ReadBlock; rest: () => Promise<void> },
): Promise<void> {
  const own = list.reading.then(() => readAfterLast(list, memory, source));
  list.reading = own.catch(() => {}); // the caller gets the error
  await own;
}

async function readAfterLast(
  list: BlockList,
  memory: BlockMemory,
  { read, rest }: { read: ReadBlock; rest: () => Promise<void> },
): Promise<void> {
  for (;;) {
    const after = list.blocks.at(-1)?.last ?? 0;
    const vectors = await read({ after, upTo: Number.MAX_SAFE_INTEGER });
    // Unless the list was emptied in the meantime.
    if ((list.blocks.at(-1)?.last ?? 0) !== after) continue;
    append(list, memory, vectors);
    if (vectors.keys.length < blockSize) return;
    await rest();
  }
}

function append(list: BlockList, memory: BlockMemory, vectors: EncodedVectors): void {
  for (let from = 0; from < vectors.keys.length; ) {
    const block = lastBlock(list, memory);
    const to = Math.min(vectors.keys.length, from + blockSize - block.count);
    if (block.held !== null) writeRows(block.held, list, { ...vectors, from, to });
    block.count += to - from;
    block.first = Math.min(block.first, vectors.keys[from] ?? 0);
    block.last = vectors.keys[to - 1] ?? 0;
    from = to;
  }
}

/** One that has room for more. */
function lastBlock({ blocks, dimension }: BlockList, memory: BlockMemory): VectorBlock {
  const last = blocks.at(-1);
  if (last !== undefined && last.count < blockSize) return last;
  const block = { first: Number.MAX_SAFE_INTEGER, last: 0, count: 0, gone: 0, held: null };
  memory.allocate(block, paddedWidth(dimension));
  blocks.push(block);
  return block;
}

type EncodedRange = EncodedVectors & { from: number; to: number };

function writeRows(
  held: HeldBlock,
  { dimension }: Pick<BlockList, 'dimension'>,
  { keys, rows, from, to }: EncodedRange,
): void {
  const bytes = encodedBytes(dimension);
  const width = paddedWidth(dimension);
  const view = new DataView(rows.buffer, rows.byteOffset, rows.byteLength);
  const components = new Int8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  for (let at = from; at < to; at += 1) {
    const start = at * bytes;
    held.keys[held.count] = keys[at] ?? 0;
    held.scales[held.count] = view.getFloat32(start, true);
    held.rows.set(components.subarray(start + scaleBytes, start + bytes), held.count * width);
    held.count += 1;
  }
}

type BlockReading = { read: ReadBlock; free: () => Promise<void> };

/** The block in place. Calls `free` while running scans occupy all memory. */
export async function holdBlock(
  block: VectorBlock,
  memory: BlockMemory,
  { dimension, read, free }: BlockReading & Pick<BlockList, 'dimension'>,
): Promise<HeldBlock> {
  for (;;) {
    const cached = memory.find(block);
    if (cached !== null) return cached;
    const { first, last } = block;
    const vectors = await read({ after: first - 1, upTo: last });
    // Another search may have read it in the meantime, or what is after it.
    if (block.held !== null || block.last !== last) continue;
    const held = memory.allocate(block, paddedWidth(dimension));
    if (held === null) await free();
    else {
      writeRows(held, { dimension }, { ...vectors, from: 0, to: vectors.keys.length });
      block.count = held.count;
      block.gone = 0;
    }
  }
}

/** The similarity of a vector: not a number if it was deleted, null if it is not in memory. */
export function similarityOf(list: BlockList, query: QuantizedQuery, key: number): number | null {
  const place = findRow(list, key);
  if (place === null) return null;
  const { held, row } = place;
  const product = dotProduct(query, held.rows, row * query.query.length);
  return product * (held.scales[row] ?? 0) * query.scale;
}

/**
 * Deleted vectors must not take the place of others among the nearest. If they are most of the
 * list, all is read again at the next scan.
 */
export function removeGone(list: BlockList, memory: BlockMemory, keys: Iterable<number>): void {
  for (const key of keys) {
    const row = findRow(list, key);
    if (row === null || Number.isNaN(row.held.scales[row.row])) continue;
    row.held.scales[row.row] = Number.NaN;
    row.block.gone += 1;
  }
  const gone = list.blocks.reduce((sum, block) => sum + block.gone, 0);
  if (gone * 2 <= countIn(list)) return;
  for (const block of list.blocks) memory.release(block);
  list.blocks = [];
}

type FoundRow = { block: VectorBlock; held: HeldBlock; row: number };

export function findRow({ blocks }: BlockList, key: number): FoundRow | null {
  const block = blocks[lowest(blocks.length, (at) => (blocks[at]?.last ?? 0) >= key)];
  if (block === undefined || block.held === null) return null;
  const { held } = block;
  const row = lowest(held.count, (at) => (held.keys[at] ?? 0) >= key);
  return row < held.count && held.keys[row] === key ? { block, held, row } : null;
}

/** The lowest index for which it is true, as for all after it. */
function lowest(count: number, isTrue: (at: number) => boolean): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isTrue(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
