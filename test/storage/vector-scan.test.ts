import { describe, expect, it, onTestFinished } from 'vitest';
import { createKernel } from '../../src/storage/sqlite/vectors/kernel.ts';
import { buildSegment, encodeSegment } from '../../src/storage/sqlite/vectors/segment.ts';
import { createSegmentCache } from '../../src/storage/sqlite/vectors/segment-cache.ts';
import { createTopK, sortDescending } from '../../src/storage/sqlite/vectors/top-k.ts';

const dimension = 24;
/** As many segments as are worth another thread, and more. */
const segments = Array.from({ length: 150 }, (_, index) => index);
const each = 20;
const pageBytes = 64 * 1024;
const roomForAll = 200 * pageBytes;

function unit(key: number): Float32Array {
  const values = Array.from({ length: dimension }, (_, at) => Math.sin(key * 7.3 + at * at));
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

const asked = unit(0.5);

async function load(segment: number) {
  const vectors = Array.from({ length: each }, (_, row) => {
    const key = segment * each + row;
    return { key, vector: unit(key) };
  });
  return { data: encodeSegment(buildSegment(vectors)), count: each };
}

function open(options: { max_bytes: number; threads: number }) {
  const cache = createSegmentCache(options);
  onTestFinished(() => cache.close());
  return cache;
}

async function scan(cache: ReturnType<typeof open>, given: Partial<{ load: typeof load }> = {}) {
  const topK = createTopK(10);
  await cache.scan(segments, { vector: asked, topK, allowed: null, load, ...given });
  return sortDescending(topK.entries());
}

/** Byte for byte in one thread, which every other way must agree with. */
const expected = await scan(createSegmentCache({ max_bytes: roomForAll, threads: 0 }));

it('another thread returns what this one does', async () => {
  const kernel = createKernel({ max_bytes: roomForAll, threads: 1 });
  onTestFinished(() => kernel.close());
  const { at = 0, count = 0 } = kernel.load(buildSegment([{ key: 7, vector: asked }])) ?? {};
  const query = new Int16Array(32).fill(3);
  const places = Int32Array.of(at, count);
  const part = { query, scale: 1, places, limit: 5, least: Number.NEGATIVE_INFINITY };

  const [here, beside] = [kernel.scan(part, null), await kernel.scanOnWorker(part)];

  expect([...here.keys]).toEqual([7]);
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

  it('finds the same if there is room for few segments at a time', async () => {
    const cache = open({ max_bytes: 10 * pageBytes, threads: 1 });

    const all = await Promise.all([scan(cache), scan(cache), scan(cache)]);

    for (const found of all) expect(found).toEqual(expected);
    expect(cache.bytes()).toBeLessThanOrEqual(10 * pageBytes);
  });

  it('says that a segment is gone, and leaves out no other', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 1 });
    const topK = createTopK(10);
    const gone = async (segment: number) => (segment === 149 ? undefined : load(segment));

    const isWhole = await cache.scan(segments, {
      ...{ vector: asked, topK, allowed: null },
      load: gone,
    });

    expect(isWhole).toBe(false);
    expect(sortDescending(topK.entries())).toEqual(expected.filter(({ key }) => key < 149 * each));
  });

  it('continues after a segment that could not be read', async () => {
    const cache = open({ max_bytes: 10 * pageBytes, threads: 1 });
    const failing = async (segment: number) => {
      if (segment === 100) throw new Error('the disk is away');
      return load(segment);
    };

    await expect(scan(cache, { load: failing })).rejects.toThrow('the disk is away');

    expect(await scan(cache)).toEqual(expected);
  });

  it('runs in this thread once others are stopped, or if none is available', async () => {
    const cache = open({ max_bytes: roomForAll, threads: 1 });
    const before = scan(cache);
    await cache.close();

    expect(await before).toEqual(expected);
    expect(await scan(cache)).toEqual(expected);
  });
});
