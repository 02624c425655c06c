import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { createTurns } from '../../../turns.ts';
import {
  type BlockList,
  type BlockMemory,
  countIn,
  createBlockList,
  createBlockMemory,
  findRow,
  type HeldBlock,
  holdBlock,
  pin,
  type ReadBlock,
  readNewest,
  removeGone,
  similarityOf,
} from './blocks.ts';
import { blockSize, createKernel, type Kernel, type KernelOptions } from './kernel.ts';
import type { QuantizedQuery } from './quantize.ts';
import type { ScanRequest, ScanResult } from './scan.ts';
import type { TopK } from './top-k.ts';

export type BlockScanOptions = {
  query: QuantizedQuery;
  /** Receives keys with their similarity. */
  topK: TopK;
  /** The only keys that count; null means all. */
  allowed: ReadonlySet<number> | null;
  read: ReadBlock;
};

/** Vectors in this process, up to a memory limit, in blocks of successive keys. */
export type BlockCache = {
  /** Reads what is new in a list of blocks, which `name` identifies; returns how many there are. */
  refresh(name: string, source: { dimension: number; read: ReadBlock }): Promise<number>;
  /** Compares the vectors of a list with the query; reads blocks again that were evicted. */
  scan(name: string, options: BlockScanOptions): Promise<void>;
  /** Whether a vector is in memory, even if it was deleted since. */
  has(name: string, key: number): boolean;
  /** The similarity of a vector: not a number if it was deleted, null if it is not in memory. */
  compare(name: string, query: QuantizedQuery, key: number): number | null;
  /** Leaves out vectors that no longer exist. */
  remove(name: string, keys: Iterable<number>): void;
  /** The memory in use, in bytes. */
  bytes(): number;
  close(): Promise<void>;
};

/** Scanned in about half a millisecond; after that, other work such as adds gets its turn. */
const blocksPerTurn = 32;
/** Fewer are scanned faster than a message reaches another thread. */
const workerScanMin = 64;
/** The blocks in one message to a thread: about three milliseconds. */
const blocksPerMessage = 128;

export function createBlockCache(options: KernelOptions): BlockCache {
  let kernel: Kernel | null = null;
  /** Created at the first use: most stores have no vectors. */
  const open = () => {
    kernel ??= createKernel(options);
    return kernel;
  };
  const memory = createBlockMemory(open);
  const lists = new Map<string, BlockList>();

  return {
    refresh: async (name, { dimension, read }) => {
      const list = lists.get(name) ?? createBlockList(dimension);
      lists.set(name, list);
      await readNewest(list, memory, { read, rest: createTurns() });
      return countIn(list);
    },
    scan: async (name, scanning) => {
      const list = lists.get(name);
      if (list !== undefined) await scanBlocks(list, { ...scanning, memory, kernel: open() });
    },
    has: (name, key) => {
      const list = lists.get(name);
      return list !== undefined && findRow(list, key) !== null;
    },
    compare: (name, query, key) => {
      const list = lists.get(name);
      return list === undefined ? null : similarityOf(list, query, key);
    },
    remove: (name, keys) => {
      const list = lists.get(name);
      if (list !== undefined) removeGone(list, memory, keys);
    },
    bytes: () => (memory.count() === 0 ? 0 : (kernel?.bytes() ?? 0)),
    close: async () => kernel?.close(),
  };
}

type BlockScan = BlockScanOptions & { memory: BlockMemory; kernel: Kernel };

/** Other threads scan much while this one does other work. */
async function scanBlocks({ blocks, dimension }: BlockList, scanning: BlockScan): Promise<void> {
  const { memory, read, allowed } = scanning;
  const isBeside = allowed === null && blocks.length >= workerScanMin;
  const blocksMax = isBeside ? blocksPerMessage : blocksPerTurn;
  const parts: Promise<void>[] = [];
  let taken: HeldBlock[] = [];
  const begin = () => {
    if (taken.length > 0) parts.push(scanPinned(taken, scanning, isBeside));
    taken = [];
  };
  const free = async () => {
    begin();
    await turnOfOthers();
  };
  try {
    for (const block of [...blocks]) {
      if (taken.length === blocksMax) await (isBeside ? begin() : free());
      const held = await holdBlock(block, memory, { dimension, read, free });
      taken.push(pin(held));
    }
  } finally {
    // Also if reading fails: no block must stay pinned.
    begin();
    await Promise.all(parts);
  }
}

/** In this thread at once; also, a little later, if no other can. */
async function scanPinned(
  taken: readonly HeldBlock[],
  { memory, kernel, allowed, query, topK }: BlockScan,
  isBeside: boolean,
): Promise<void> {
  const places = Int32Array.from(taken.flatMap(({ at, count }) => [at, count]));
  const { limit } = topK;
  const part: ScanRequest = {
    query: query.query,
    scale: query.scale,
    places,
    capacity: blockSize,
    limit,
    least: topK.threshold(),
  };
  try {
    const scanned = isBeside ? await kernel.scanOnWorker(part) : kernel.scan(part, allowed);
    if (scanned !== null) return addToTopK(scanned, topK);
    await turnOfOthers();
    addToTopK(kernel.scan(part, allowed), topK);
  } finally {
    for (const piece of taken) memory.unpin(piece);
  }
}

function addToTopK({ keys, values }: ScanResult, topK: TopK): void {
  for (const [index, key] of keys.entries()) topK.add(key, values[index] ?? 0);
}
