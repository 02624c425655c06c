import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { createKernel, type Kernel, type KernelOptions, type SegmentAllocation } from './kernel.ts';
import { quantize } from './quantize.ts';
import type { ScanRequest, ScanResult } from './scan.ts';
import { decodeSegment, type Segment } from './segment.ts';
import type { TopK } from './top-k.ts';

export type SegmentScanOptions = {
  vector: Float32Array;
  /** Receives keys with their approximate similarity. */
  topK: TopK;
  /** The only keys that count; null means all. */
  allowed: ReadonlySet<number> | null;
  /** Loads an uncached segment; undefined if it no longer exists. */
  load: (segment: number) => Promise<{ data: Uint8Array; count: number } | undefined>;
};

/** Segments cached in this process, up to a memory limit. */
export type SegmentCache = {
  /**
   * Compares the vectors of these segments with the query; loads segments if needed. False if one
   * of them no longer exists because another replaced it.
   */
  scan(segments: readonly number[], options: SegmentScanOptions): Promise<boolean>;
  /** The memory of cached segments, in bytes. */
  bytes(): number;
  close(): Promise<void>;
};

/** Scanned in about half a millisecond; after that, other work such as adds gets its turn. */
const segmentsPerTurn = 32;
/** Fewer are scanned faster than a message reaches another thread. */
const workerScanMin = 64;
/** The segments in one message to a thread: about three milliseconds. */
const segmentsPerMessage = 128;

/** `scans` is the number of running scans that need it in place. */
type CachedSegment = { held: SegmentAllocation; scans: number };

export function createSegmentCache(options: KernelOptions): SegmentCache {
  let kernel: Kernel | null = null;
  /** Created at the first use: most stores have no vectors. */
  const open = () => {
    kernel ??= createKernel(options);
    return kernel;
  };
  const entries = createEntries(open);

  return {
    scan: async (segments, { load, ...wanted }) => {
      const isBeside = wanted.allowed === null && segments.length >= workerScanMin;
      const query = quantizeQuery(wanted.vector);
      const scanning = { entries, kernel: open(), load, query, ...wanted };
      return isBeside ? scanOnWorkers(segments, scanning) : scanOnThisThread(segments, scanning);
    },
    bytes: () => (entries.count() === 0 ? 0 : (kernel?.bytes() ?? 0)),
    close: async () => kernel?.close(),
  };
}

type SegmentEntries = ReturnType<typeof createEntries>;

function createEntries(kernel: () => Kernel) {
  /** Least recently used first. A segment never changes: its replacement has another key. */
  const entries = new Map<number, CachedSegment>();

  /** False if everything that could be evicted is being scanned. */
  const drop = (): boolean => {
    if (entries.size === 0) throw new Error('no room for one segment of vectors');
    for (const [key, { held, scans }] of entries) {
      if (scans > 0) continue;
      entries.delete(key);
      kernel().release(held);
      return true;
    }
    return false;
  };
  const find = (segment: number): CachedSegment | undefined => {
    const known = entries.get(segment);
    if (known === undefined) return undefined;
    entries.delete(segment);
    entries.set(segment, known);
    return known;
  };
  const hold = (segment: number, decoded: Segment): CachedSegment | null => {
    for (;;) {
      const held = kernel().load(decoded);
      if (held === null && !drop()) return null;
      if (held === null) continue;
      const entry = { held, scans: 0 };
      entries.set(segment, entry);
      return entry;
    }
  };

  return {
    find,
    /** Null if it no longer exists. Calls `free` while running scans occupy all memory. */
    read: async (segment: number, load: SegmentScanOptions['load'], free: () => Promise<void>) => {
      const stored = await load(segment);
      if (stored === undefined) return null;
      const decoded = decodeSegment(stored.data, stored.count);
      for (;;) {
        // Another search may have loaded it in the meantime.
        const entry = find(segment) ?? hold(segment, decoded);
        if (entry !== null) return entry;
        await free();
      }
    },
    count: () => entries.size,
  };
}

type SegmentScanState = SegmentScanOptions & {
  entries: SegmentEntries;
  kernel: Kernel;
  query: QuantizedQuery;
};
type QuantizedQuery = Pick<ScanRequest, 'query' | 'scale'>;

async function scanOnThisThread(
  segments: readonly number[],
  scanning: SegmentScanState,
): Promise<boolean> {
  const { entries, kernel, load, allowed } = scanning;
  let isWhole = true;
  for (const [index, segment] of segments.entries()) {
    if (index % segmentsPerTurn === segmentsPerTurn - 1) await turnOfOthers();
    const entry = entries.find(segment) ?? (await entries.read(segment, load, turnOfOthers));
    if (entry === null) isWhole = false;
    // From here to the end of the turn, the entry cannot be evicted.
    else addToTopK(kernel.scan(toScanRequest([entry], scanning), allowed), scanning);
  }
  return isWhole;
}

/** Other threads scan while this one does other work. */
async function scanOnWorkers(
  segments: readonly number[],
  scanning: SegmentScanState,
): Promise<boolean> {
  const { entries, load } = scanning;
  const parts: Promise<ScanResult>[] = [];
  let taken: CachedSegment[] = [];
  const begin = () => {
    if (taken.length > 0) parts.push(scanPinned(taken, scanning));
    taken = [];
  };
  const free = async () => {
    begin();
    await turnOfOthers();
  };
  let isWhole = true;
  try {
    for (const segment of segments) {
      const entry = entries.find(segment) ?? (await entries.read(segment, load, free));
      if (entry === null) isWhole = false;
      else taken.push(pin(entry));
      if (taken.length === segmentsPerMessage) begin();
    }
  } finally {
    // Also if loading fails: no segment must stay pinned.
    begin();
  }
  for (const part of parts) addToTopK(await part, scanning);
  return isWhole;
}

function pin(entry: CachedSegment): CachedSegment {
  entry.scans += 1;
  return entry;
}

/** Scans in this thread if no other can. */
async function scanPinned(
  taken: readonly CachedSegment[],
  scanning: SegmentScanState,
): Promise<ScanResult> {
  const { kernel } = scanning;
  const part = toScanRequest(taken, scanning);
  try {
    const scanned = await kernel.scanOnWorker(part);
    if (scanned !== null) return scanned;
    await turnOfOthers();
    return kernel.scan(part, null);
  } finally {
    for (const entry of taken) entry.scans -= 1;
  }
}

function quantizeQuery(vector: Float32Array): QuantizedQuery {
  const { values, scale } = quantize(vector);
  return { query: Int16Array.from(values), scale };
}

function toScanRequest(
  entries: readonly CachedSegment[],
  { query, topK }: SegmentScanState,
): ScanRequest {
  const places = entries.flatMap(({ held: { at, count } }) => [at, count]);
  const { limit } = topK;
  return { ...query, places: Int32Array.from(places), limit, least: topK.threshold() };
}

function addToTopK({ keys, values }: ScanResult, { topK }: SegmentScanState): void {
  for (const [index, key] of keys.entries()) topK.add(key, values[index] ?? 0);
}
