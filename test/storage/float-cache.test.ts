import { describe, expect, it } from 'vitest';
import {
  createFloatCache,
  type LoadVectors,
} from '../../src/storage/sqlite/vectors/float-cache.ts';

/** Vectors of keys below 100, each with its key in it; notes what was asked for. */
function makeLoad() {
  const asked: number[] = [];
  const load: LoadVectors = async (wanted) => {
    asked.push(...wanted);
    const keys = wanted.filter((key) => key < 100);
    return { keys, numbers: Float32Array.from(keys.flatMap((key) => [key, -key])) };
  };
  return { load, asked };
}

const first = Float32Array.of(1, 0);
const second = Float32Array.of(0, 1);

describe('cached vectors', () => {
  it('are compared in the order of their keys, with NaN for a missing one', async () => {
    const { load } = makeLoad();
    const floats = createFloatCache({ max_bytes: 10_000 });

    expect([...(await floats.compare(first, [7, 100, 3], load))]).toEqual([7, Number.NaN, 3]);
    expect([...(await floats.compare(second, [7, 100, 3], load))]).toEqual([-7, Number.NaN, -3]);
  });

  it('are read once while there is room', async () => {
    const { load, asked } = makeLoad();
    const floats = createFloatCache({ max_bytes: 10_000 });

    await floats.compare(first, [1, 2], load);
    const again = await floats.compare(first, [2, 3, 1], load);

    expect([...again]).toEqual([2, 3, 1]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('can be preloaded, and are then compared without being read', async () => {
    const { load, asked } = makeLoad();
    const floats = createFloatCache({ max_bytes: 10_000 });

    await floats.preload([1, 2, 100], 2, load);
    await floats.preload([2, 3], 2, load);
    expect(asked).toEqual([1, 2, 100, 3]);

    expect([...(await floats.compare(first, [3, 1, 2], load))]).toEqual([3, 1, 2]);
    expect(asked).toEqual([1, 2, 100, 3]);
  });

  it('give right results if not all preloaded ones fit', async () => {
    const { load } = makeLoad();
    const floats = createFloatCache({ max_bytes: 2000 });
    const keys = Array.from({ length: 99 }, (_, index) => index + 1);

    await floats.preload(keys, 2, load);

    expect(floats.bytes()).toBeLessThanOrEqual(2000);
    expect([...(await floats.compare(first, keys, load))]).toEqual(keys);
  });

  it('stay while they are used, and others are evicted within the limit', async () => {
    const { load, asked } = makeLoad();
    const floats = createFloatCache({ max_bytes: 2000 });

    for (let key = 2; key < 90; key += 1) {
      expect([...(await floats.compare(first, [1, key], load))]).toEqual([1, key]);
      expect(floats.bytes()).toBeLessThanOrEqual(2000);
    }
    expect(asked.filter((key) => key === 1)).toHaveLength(1);

    await floats.compare(first, [2], load);
    expect(asked.filter((key) => key === 2)).toHaveLength(2);
  });

  it('give right results if more are requested at once than fit', async () => {
    const { load } = makeLoad();
    const floats = createFloatCache({ max_bytes: 2000 });
    const keys = Array.from({ length: 99 }, (_, index) => index + 1);

    expect([...(await floats.compare(first, keys, load))]).toEqual(keys);
    expect([...(await floats.compare(second, keys.toReversed(), load))]).toEqual(
      keys.toReversed().map((key) => -key),
    );
    expect(floats.bytes()).toBeLessThanOrEqual(2000);
  });

  it('are stored once if several request them at the same time', async () => {
    const long = new Float32Array(40).fill(1);
    const load: LoadVectors = async (keys) => {
      return { keys, numbers: Float32Array.from(keys.flatMap((key) => Array(40).fill(key))) };
    };
    const alone = createFloatCache({ max_bytes: 2000 });
    const together = createFloatCache({ max_bytes: 2000 });

    await alone.compare(long, [1, 2], load);
    const found = await Promise.all([1, 2, 3].map(() => together.compare(long, [1, 2], load)));

    expect(found.map((products) => [...products])).toEqual(Array(3).fill([40, 80]));
    expect(together.bytes()).toBe(alone.bytes());
  });

  it('are compared but not kept if one exceeds the limit', async () => {
    const floats = createFloatCache({ max_bytes: 100 });
    const long = new Float32Array(50).fill(2);
    let reads = 0;
    const load: LoadVectors = async (keys) => {
      reads += 1;
      return { keys, numbers: long };
    };

    expect([...(await floats.compare(long, [1], load))]).toEqual([200]);
    expect([...(await floats.compare(long, [1], load))]).toEqual([200]);
    expect(reads).toBe(2);
    expect(floats.bytes()).toBeLessThanOrEqual(100);
  });
});
