import { describe, expect, it } from 'vitest';
import { encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { quantizeQuery } from '../../src/storage/sqlite/vectors/quantize.ts';
import {
  createRowCache,
  type ReadRows,
  type RowCache,
} from '../../src/storage/sqlite/vectors/row-cache.ts';

function encodeAll(vectors: readonly (readonly number[])[]): Uint8Array {
  return Buffer.concat(vectors.map((vector) => encodeVector(Float32Array.from(vector))));
}

/** Vectors of keys below 100, each with its key in it; notes what was asked for. */
function makeRead() {
  const asked: number[] = [];
  const read: ReadRows = async (wanted) => {
    asked.push(...wanted);
    const keys = wanted.filter((key) => key < 100);
    return { keys, rows: encodeAll(keys.map((key) => [key, -key])) };
  };
  return { read, asked };
}

async function compare(
  rows: RowCache,
  vector: Float32Array,
  { keys, read }: { keys: readonly number[]; read: ReadRows },
): Promise<number[]> {
  const found = await rows.compare(quantizeQuery(vector), keys, { read, known: () => null });
  return Array.from(found, (value) => Math.round(value * 10) / 10);
}

const first = Float32Array.of(1, 0);
const second = Float32Array.of(0, 1);

describe('cached vectors', () => {
  it('are compared in the order of their keys, with NaN for a missing one', async () => {
    const { read } = makeRead();
    const rows = createRowCache({ max_bytes: 10_000 });

    expect(await compare(rows, first, { keys: [7, 100, 3], read })).toEqual([7, Number.NaN, 3]);
    expect(await compare(rows, second, { keys: [7, 100, 3], read })).toEqual([-7, Number.NaN, -3]);
  });

  it('are read once while there is room', async () => {
    const { read, asked } = makeRead();
    const rows = createRowCache({ max_bytes: 10_000 });

    await compare(rows, first, { keys: [1, 2], read });
    const again = await compare(rows, first, { keys: [2, 3, 1], read });

    expect(again).toEqual([2, 3, 1]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('can be preloaded, and are then compared without being read', async () => {
    const { read, asked } = makeRead();
    const rows = createRowCache({ max_bytes: 10_000 });

    await rows.preload([1, 2, 100], 2, read);
    await rows.preload([2, 3], 2, read);
    expect(asked).toEqual([1, 2, 100, 3]);

    expect(await compare(rows, first, { keys: [3, 1, 2], read })).toEqual([3, 1, 2]);
    expect(asked).toEqual([1, 2, 100, 3]);
  });

  it('give right results if not all preloaded ones fit', async () => {
    const { read } = makeRead();
    const rows = createRowCache({ max_bytes: 2000 });
    const keys = Array.from({ length: 99 }, (_, index) => index + 1);

    await rows.preload(keys, 2, read);

    expect(rows.bytes()).toBeLessThanOrEqual(2000);
    expect(await compare(rows, first, { keys: keys, read })).toEqual(keys);
  });

  it('stay while they are used, and others are evicted within the limit', async () => {
    const { read, asked } = makeRead();
    const rows = createRowCache({ max_bytes: 2000 });

    for (let key = 2; key < 90; key += 1) {
      expect(await compare(rows, first, { keys: [1, key], read })).toEqual([1, key]);
      expect(rows.bytes()).toBeLessThanOrEqual(2000);
    }
    expect(asked.filter((key) => key === 1)).toHaveLength(1);

    await compare(rows, first, { keys: [2], read });
    expect(asked.filter((key) => key === 2)).toHaveLength(2);
  });

  it('give right results if more are requested at once than fit', async () => {
    const { read } = makeRead();
    const rows = createRowCache({ max_bytes: 2000 });
    const keys = Array.from({ length: 99 }, (_, index) => index + 1);

    expect(await compare(rows, first, { keys: keys, read })).toEqual(keys);
    expect(await compare(rows, second, { keys: keys.toReversed(), read })).toEqual(
      keys.toReversed().map((key) => -key),
    );
    expect(rows.bytes()).toBeLessThanOrEqual(2000);
  });

  it('are stored once if several request them at the same time', async () => {
    const long = new Float32Array(40).fill(1);
    const read: ReadRows = async (keys) => {
      return { keys, rows: encodeAll(keys.map((key) => Array<number>(40).fill(key))) };
    };
    const alone = createRowCache({ max_bytes: 2000 });
    const together = createRowCache({ max_bytes: 2000 });
    const keys = [1, 2];

    await compare(alone, long, { keys, read });
    const found = await Promise.all([1, 2, 3].map(() => compare(together, long, { keys, read })));

    expect(found).toEqual(Array(3).fill([40, 80]));
    expect(together.bytes()).toBe(alone.bytes());
  });

  it('are compared but not kept if one exceeds the limit', async () => {
    const rows = createRowCache({ max_bytes: 100 });
    const long = new Float32Array(60).fill(2);
    let reads = 0;
    const read: ReadRows = async (keys) => {
      reads += 1;
      return { keys, rows: encodeVector(long) };
    };

    expect(await compare(rows, long, { keys: [1], read })).toEqual([240]);
    expect(await compare(rows, long, { keys: [1], read })).toEqual([240]);
    expect(reads).toBe(2);
    expect(rows.bytes()).toBeLessThanOrEqual(100);
  });

  it('are neither read nor kept if they are known', async () => {
    const { read, asked } = makeRead();
    const rows = createRowCache({ max_bytes: 10_000 });
    const known = (key: number) => (key === 2 ? 7 : null);

    const found = await rows.compare(quantizeQuery(first), [2, 3], { read, known });

    expect([...found]).toEqual([7, expect.closeTo(3, 3)]);
    expect(asked).toEqual([3]);
  });
});
