import { kernelBinary } from './kernel-binary.ts';

/** Bytes that a query may take, two for each dimension. The rest of its page takes the results. */
const queryMaxBytes = 32 * 1024;
const pageBytes = 64 * 1024;

/** Where rows lie in the kernel's memory. */
export type Held = { at: number; pages: number };

/**
 * Scans rows of signed bytes with the processor's vector instructions. It keeps rows in a memory
 * of its own, which only grows: what is released is used again.
 */
export type Kernel = {
  /** Copies rows in; null where `max_bytes` leave no room. */
  hold(rows: Int8Array): Held | null;
  release(held: Held): void;
  /**
   * The dot product of each row with the query, both of `width` signed bytes, a multiple of 16. The
   * answer is overwritten by the next call.
   */
  dots(query: Int8Array, held: Held, count: number): Int32Array;
  /** Bytes of memory in use. */
  bytes(): number;
};

/** In the order of `kernel.wat`: query, rows, count, width, out. */
type Exports = { dots(...numbers: number[]): void };

export function createKernel({ max_bytes }: { max_bytes: number }): Kernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const binary = Buffer.from(kernelBinary, 'base64');
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary), { env: { memory } });
  const { dots } = exports as Exports;
  /** Starts of released places, by how many pages they hold. */
  const free = new Map<number, number[]>();

  const place = (pages: number): number | null => {
    const released = free.get(pages)?.pop();
    if (released !== undefined) return released;
    const end = memory.buffer.byteLength;
    if (end + pages * pageBytes > max_bytes) return null;
    memory.grow(pages);
    return end;
  };

  return {
    hold(rows) {
      const pages = Math.max(1, Math.ceil(rows.length / pageBytes));
      const at = place(pages);
      if (at === null) return null;
      new Int8Array(memory.buffer, at, rows.length).set(rows);
      return { at, pages };
    },
    release({ at, pages }) {
      const places = free.get(pages) ?? [];
      places.push(at);
      free.set(pages, places);
    },
    dots(query, { at }, count) {
      new Int16Array(memory.buffer, 0, query.length).set(query);
      dots(0, at, count, query.length, queryMaxBytes);
      return new Int32Array(memory.buffer, queryMaxBytes, count);
    },
    bytes: () => memory.buffer.byteLength,
  };
}
