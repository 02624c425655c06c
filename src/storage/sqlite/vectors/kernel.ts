import { availableParallelism } from 'node:os';
import { kernelBinary } from './kernel-binary.ts';
import { type ScanBuffers, type ScanRequest, type ScanResult, scanVectors } from './scan.ts';
import type { Segment } from './segment.ts';
import { createTopK } from './top-k.ts';
import { createScanWorkers, type ScanWorkers } from './worker-threads.ts';

/** The largest query in bytes, two for each dimension. The rest of its page takes the results. */
const queryMaxBytes = 32 * 1024;
const pageBytes = 64 * 1024;

/** More threads would wait for each other: one nearly saturates the memory bandwidth. */
const threadsMax = 3;

/** The location of a segment in the kernel's memory. */
export type SegmentAllocation = { at: number; pages: number; count: number };

/**
 * Scans rows of signed bytes with the processor's vector instructions. Segments are kept in the
 * kernel's own memory, which only grows: released pages are reused.
 */
export type Kernel = {
  /** Copies a segment into the memory; null if `max_bytes` leaves no room. */
  load(segment: Segment): SegmentAllocation | null;
  release(held: SegmentAllocation): void;
  /** Scans in this thread. */
  scan(part: ScanRequest, allowed: ReadonlySet<number> | null): ScanResult;
  /** Scans in another thread, started at the first call; null if threads are unavailable. */
  scanOnWorker(part: ScanRequest): Promise<ScanResult | null>;
  /** The memory in use, in bytes. */
  bytes(): number;
  /** Stops threads. */
  close(): Promise<void>;
};

/** `threads` is the number of additional threads that may scan. */
export type KernelOptions = { max_bytes: number; threads?: number };

export function createKernel({
  max_bytes,
  threads: count = Math.min(threadsMax, availableParallelism() - 1),
}: KernelOptions): Kernel {
  const maximum = Math.max(1, Math.floor(max_bytes / pageBytes));
  const memory = new WebAssembly.Memory({ initial: 1, maximum, shared: true });
  const module = new WebAssembly.Module(Buffer.from(kernelBinary, 'base64'));
  const place = createPageAllocator(memory, maximum * pageBytes);
  const desk: ScanBuffers = {
    ...instantiateDots(module, memory),
    memory,
    query: 0,
    out: queryMaxBytes,
  };
  let threads: ScanWorkers | null = null;
  const openThreads = () => {
    const desks = Array.from({ length: count }, () => place.take(1)).filter((at) => at !== null);
    return createScanWorkers({ module, memory, desks, outAt: queryMaxBytes });
  };

  return {
    load({ rows, keys, scales }) {
      const bytes = rows.length + keys.byteLength + scales.byteLength;
      const pages = Math.max(1, Math.ceil(bytes / pageBytes));
      const at = place.take(pages);
      if (at === null) return null;
      const { buffer } = memory;
      new Int8Array(buffer, at, rows.length).set(rows);
      new Float64Array(buffer, at + rows.length, keys.length).set(keys);
      new Float32Array(buffer, at + rows.length + keys.byteLength, scales.length).set(scales);
      return { at, pages, count: keys.length };
    },
    release: place.give,
    scan: (part, allowed) => scanVectors(desk, part, { bestOf: createTopK, allowed }),
    scanOnWorker: (part) => {
      threads ??= openThreads();
      return threads.scan(part);
    },
    bytes: () => memory.buffer.byteLength,
    close: async () => threads?.close(),
  };
}

function instantiateDots(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
): Pick<ScanBuffers, 'dots'> {
  // The only function that the kernel exports: see kernel.wat.
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Pick<ScanBuffers, 'dots'>;
}

/** Allocates pages of a memory that grows up to `max_bytes`; released pages are reused first. */
function createPageAllocator(memory: WebAssembly.Memory, max_bytes: number) {
  const free = new Map<number, number[]>();
  return {
    take: (pages: number): number | null => {
      const released = free.get(pages)?.pop();
      if (released !== undefined) return released;
      const end = memory.buffer.byteLength;
      if (end + pages * pageBytes > max_bytes) return null;
      memory.grow(pages);
      return end;
    },
    give: ({ at, pages }: Pick<SegmentAllocation, 'at' | 'pages'>): void => {
      const places = free.get(pages) ?? [];
      places.push(at);
      free.set(pages, places);
    },
  };
}
