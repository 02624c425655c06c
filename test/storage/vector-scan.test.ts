import { describe, expect, it, onTestFinished } from 'vitest';
import { encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { createBlockCache } from '../../src/storage/sqlite/vectors/block-scan.ts';
import type { ReadBlock } from '../../src/storage/sqlite/vectors/blocks.ts';
import { blockSize, createKernel } from '../../src/storage/sqlite/vectors/kernel.ts';
import { quantizeQuery } from '../../src/storage/sqlite/vectors/quantize.ts';
import { createTopK, sortDescending } from '../../src/storage/sqlite/vectors/top-k.ts';

const dimension = 16;
/** As many as are worth another thread, and more. */
const count = 150 * blockSize;
const pageBytes = 64 * 1024;
const roomForAll = 200 * pageBytes;
const name = 'project and model';

function unit(key: number): Float32Array {
  const values = Array.from({ length: dimension }, (_, at) => Math.sin(key * 7.3 + at * at));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

const query = quantizeQuery(unit(0.5));
const stored = Array.from({ length: count }, (_, index) => encodeVector(unit(index + 1)));

/** Every key from 1 to `last` has a vector, except those that are gone. */
function makeRows(last = count) {
  const reads: { after: number; upTo: number }[] = [];
  const gone = new Set<number>();
  const rows = { reads, gone, last };
  const read: ReadBlock = async ({ after, upTo }) => {
    reads.push({ after, upTo });
    const keys: number[] = [];
    for (let key = after + 1; key <= Math.min(upTo, rows.last); key += 1) {
      if (!gone.has(key)) keys.push(key);
      if (keys.length === blockSize) break;
    }
    return { keys, rows: Buffer.concat(keys.map((key) => stored[key - 1] ?? new Uint8Array())) };
  };
  return Object.assign(rows, { read });
}

function open(options: { max_bytes: number; threads: number }) {
  const cache = createBlockCache(options);
  onTestFinished(() => cache.close());
  return cache;
}

type Cache = ReturnType<typeof open>;

async function scan(
  cache: Cache,
  { read = makeRows().read, limit = 10, allowed = null as ReadonlySet<number> | null } = {},
) {
  const topK = createTopK(limit);
  await cache.refresh(name, { dimension, read });
  await cache.scan(name, { query, topK, allowed, read });
  return sortDescending(topK.entries());
}

/** Number for number in one thread, which every other way must agree with. */
const expected = await scan(createBlockCache({ max_bytes: roomForAll, threads: 0 }));

it('another thread returns what this one does', async () => {
  const kernel = createKernel({ max_bytes: roomForAll, threads: 1 });
  onTestFinished(() => kernel.close());
  const block = kernel.allocate(dimension);
  block?.keys.set([7]);
  block?.scales.set([1]);
  block?.rows.fill(2, 0, dimension);
  const part = {
    query: new Int16Array(dimension).fill(3),
    scale: 1,
    limit: 5,
    places: Int32Array.of(block?.at ?? 0, 1),
    capacity: blockSize,
    least: Number.NEGATIVE_INFINITY,
  };

  const [here, beside] = [kernel.scan(part, null), await kernel.scanOnWorker(part)];

  expect([[...here.keys], [...here.values]]).toEqual([[7], [dimension * 2 * 3]]);
  expect(beside).toEqual(here);
});

describe('scanning in other threads', () => {
  it('finds what this thread finds', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 2 });

    const [first, second] = [await scan(cache), await scan(cache)];

    expect(expected).toHaveLength(10);
    expect(first).toEqual(expected);
    expect(second).toEqual(expected);
  });

  it('keeps searches at the same time apart', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 2 });

    const all = await Promise.all(Array.from({ length: 8 }, () => scan(cache)));

    for (const found of all) expect(found).toEqual(expected);
  });

  it('finds the same if there is room for few blocks at a time', async () => {
    const cache = open({ max_bytes: 10 * pageBytes, threads: 1 });

    const all = await Promise.all([scan(cache), scan(cache), scan(cache)]);

    for (const found of all) expect(found).toEqual(expected);
    expect(cache.bytes()).toBeLessThanOrEqual(10 * pageBytes);
  });

  it('continues after a block that could not be read', async () => {
    const cache = open({ max_bytes: 10 * pageBytes, threads: 1 });
    const { read } = makeRows();
    await scan(cache, { read });
    const failing: ReadBlock = async (range) => {
      if (range.after === 100 * blockSize) throw new Error('the disk is away');
      return read(range);
    };

    await expect(scan(cache, { read: failing })).rejects.toThrow('the disk is away');

    expect(await scan(cache, { read })).toEqual(expected);
  });

  it('runs in this thread once others are stopped, or if none is available', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 1 });
    const before = scan(cache);
    await cache.close();

    expect(await before).toEqual(expected);
    expect(await scan(cache)).toEqual(expected);
  });
});

describe('blocks in memory', () => {
  it('are read once, and then only what is new', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 0 });
    const rows = makeRows(blockSize + 10);
    await scan(cache, rows);
    expect(rows.reads.map(({ after }) => after)).toEqual([0, blockSize]);

    rows.last += 2 * blockSize;
    rows.reads.length = 0;
    const found = await scan(cache, { ...rows, limit: 4 * blockSize });

    expect(found).toHaveLength(3 * blockSize + 10);
    const read = rows.reads.map(({ after }) => after);
    expect(read).toEqual([0, 1, 2].map((at) => (at + 1) * blockSize + 10));
  });

  it('find only what is allowed', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 0 });
    const allowed = new Set([5, 700]);

    const found = await scan(cache, { ...makeRows(2 * blockSize), allowed });

    expect(found.map(({ key }) => key).sort((one, other) => one - other)).toEqual([5, 700]);
  });

  it('compare single vectors as a scan does', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 0 });
    const all = await scan(cache, { ...makeRows(2 * blockSize), limit: 2 * blockSize });

    const one = all.map(({ key }) => ({ key, value: cache.compare(name, query, key) }));

    expect(one).toEqual(all);
    expect(cache.compare(name, query, 2 * blockSize + 1)).toBeNull();
    expect(cache.compare('another', query, 1)).toBeNull();
  });

  it('leave out what was removed, and are read again once that is most of them', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 0 });
    const rows = makeRows(4 * blockSize);
    const limit = 4 * blockSize;
    const remove = (keys: readonly number[]) => {
      for (const key of keys) rows.gone.add(key);
      cache.remove(name, keys);
    };
    await scan(cache, rows);

    remove([3, 2 * blockSize]);
    expect(await scan(cache, { ...rows, limit })).toHaveLength(4 * blockSize - 2);
    expect(cache.compare(name, query, 3)).toBeNaN();
    const before = cache.bytes();
    remove(Array.from({ length: 3 * blockSize }, (_, index) => index + 1));

    rows.reads.length = 0;
    expect(await scan(cache, { ...rows, limit })).toHaveLength(blockSize);
    expect(rows.reads).toHaveLength(2);
    expect(cache.bytes()).toBe(before);
  });

  it('that were evicted are read again, with what was added to them', async () => {
    const cache = open({ max_bytes: 3 * pageBytes, threads: 0 });
    const rows = makeRows(10);
    await scan(cache, rows);
    const others = makeRows(6 * blockSize);
    const topK = createTopK(10);
    await cache.refresh('another', { dimension, read: others.read });
    await cache.scan('another', { query, topK, allowed: null, read: others.read });

    rows.last = 15;

    expect(await scan(cache, { ...rows, limit: 20 })).toHaveLength(15);
  });
});
