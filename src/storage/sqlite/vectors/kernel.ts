import { availableParallelism } from 'node:os';
import { kernelBinary } from './kernel-binary.ts';
import { type ScanBuffers, type ScanRequest, type ScanResult, scanVectors } from './scan.ts';
import { createTopK } from './top-k.ts';
import { createScanWorkers, type ScanWorkers } from './worker-threads.ts';

/** The largest query in bytes, two for each dimension. The rest of its page takes the results. */
const queryMaxBytes = 32 * 1024;
const pageBytes = 64 * 1024;

/** More threads would wait for each other: one nearly saturates the memory bandwidth. */
const threadsMax = 3;

/**
 * Rows that a block has room for. With keys and scales, so many of usual dimensions leave little of
 * a page unused.
 */
export const blockSize = 480;

/** A piece of the kernel's memory. */
export type PageRange = { at: number; pages: number };

/** The parts of a block in the kernel's memory, with room for `blockSize` vectors. */
export type BlockViews = {
  /** Ascending. */
  keys: Float64Array;
  /** Not a number for a vector that was deleted. */
  scales: Float32Array;
  /** Each of `width` bytes. */
  rows: Int8Array;
};

/**
 * Scans rows of signed bytes with the processor's vector instructions. Blocks are kept in the
 * kernel's own memory, which only grows: released pages are reused.
 */
export type Kernel = {
  /** Room for a block; null if `max_bytes` leaves none. */
  allocate(width: number): (PageRange & BlockViews) | null;
  release(range: PageRange): void;
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
  const allocator = createPageAllocator(memory, maximum * pageBytes);
  const desk: ScanBuffers = {
    ...instantiateDots(module, memory),
    memory,
    query: 0,
    out: queryMaxBytes,
  };
  let threads: ScanWorkers | null = null;
  const openThreads = () => {
    const desks = Array.from({ length: count }, () => allocator.take(1)).filter(
      (at) => at !== null,
    );
    return createScanWorkers({ module, memory, desks, outAt: queryMaxBytes });
  };

  return {
    allocate: (width) => {
      const pages = Math.ceil((blockSize * (width + 12)) / pageBytes);
      const at = allocator.take(pages);
      return at === null ? null : { at, pages, ...viewsOf(memory, { at, width }) };
    },
    release: allocator.give,
    scan: (part, allowed) => scanVectors(desk, part, { bestOf: createTopK, allowed }),
    scanOnWorker: (part) => {
      threads ??= openThreads();
      return threads.scan(part);
    },
    bytes: () => memory.buffer.byteLength,
    close: async () => threads?.close(),
  };
}

/** They stay valid when the memory grows. */
function viewsOf(
  { buffer }: WebAssembly.Memory,
  { at, width }: { at: number; width: number },
): BlockViews {
  return {
    keys: new Float64Array(buffer, at, blockSize),
    scales: new Float32Array(buffer, at + 8 * blockSize, blockSize),
    rows: new Int8Array(buffer, at + 12 * blockSize, blockSize * width),
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
    give: ({ at, pages }: PageRange): void => {
      const places = free.get(pages) ?? [];
      places.push(at);
      free.set(pages, places);
    },
  };
}
