import { setImmediate as turnOfOthers } from 'node:timers/promises';
import { createKernel, type Kernel, type KernelOptions, type SegmentAllocation } from './kernel.ts';
import { quantize } from './quantize.ts';
import type { ScanRequest, ScanResult } from './scan.ts';
import { decodeSegment, type Segment } from './segment.ts';
import type { TopK } from './top-k.ts';

export type SegmentScanOptions = {
  vector: Float32Array;
  /** Where keys go, with their similarity as far as bytes can tell. */
  topK: TopK;
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
  scan(segments: readonly number[], options: SegmentScanOptions): Promise<boolean>;
  /** Bytes that segments take. */
  bytes(): number;
  close(): Promise<void>;
};

/** Scanned in about half a millisecond; then it is the turn of others, such as of adds. */
const segmentsPerTurn = 32;
/** Fewer are scanned before another thread has heard of them. */
const workerScanMin = 64;
/** What one message asks of a thread: about three milliseconds. */
const segmentsPerMessage = 128;

/** `scans` is how many are going on that need it where it is. */
type CachedSegment = { held: SegmentAllocation; scans: number };

export function createSegmentCache(options: KernelOptions): SegmentCache {
  let kernel: Kernel | null = null;
  /** Made with the first use: most stores hold no vectors. */
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
  /** Least recently used first. A segment never changes: what replaces it has another key. */
  const entries = new Map<number, CachedSegment>();

  /** False where all that might make room is being scanned. */
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
    /** Null where it is gone. Calls `free` while all room is taken by what is being scanned. */
    read: async (segment: number, load: SegmentScanOptions['load'], free: () => Promise<void>) => {
      const stored = await load(segment);
      if (stored === undefined) return null;
      const decoded = decodeSegment(stored.data, stored.count);
      for (;;) {
        // Another search may have read it meanwhile.
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
    // From here to the end of the turn nobody can take the entry's place away.
    else addToTopK(kernel.scan(toScanRequest([entry], scanning), allowed), scanning);
  }
  return isWhole;
}

/** Other threads scan while this one goes on with whatever there is to do. */
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
    // Also where reading fails: nothing must stay in its place for ever.
    begin();
  }
  for (const part of parts) addToTopK(await part, scanning);
  return isWhole;
}

function pin(entry: CachedSegment): CachedSegment {
  entry.scans += 1;
  return entry;
}

/** Here where no other thread can. */
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
