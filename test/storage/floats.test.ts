import { describe, expect, it } from 'vitest';
import { createFloatCache, type LoadVectors } from '../../src/storage/vectors/floats.ts';

/** Vectors of keys below 100, each with its key in it; counts what was asked for. */
function makeLoad() {
  const asked: number[] = [];
  const load: LoadVectors = async (wanted) => {
    asked.push(...wanted);
    const keys = wanted.filter((key) => key < 100);
    return { keys, numbers: Float32Array.from(keys.flatMap((key) => [key, -key])) };
  };
  return { load, asked };
}

describe('vectors at hand', () => {
  it('come in the order of their keys, and none for one that is gone', async () => {
    const { load } = makeLoad();
    const floats = createFloatCache({ max_bytes: 10_000 });

    const found = await floats.get([7, 100, 3], load);

    expect(found.map((vector) => vector && [...vector])).toEqual([[7, -7], undefined, [3, -3]]);
  });

  it('are read once while there is room', async () => {
    const { load, asked } = makeLoad();
    const floats = createFloatCache({ max_bytes: 10_000 });

    await floats.get([1, 2], load);
    const again = await floats.get([2, 3, 1], load);

    expect(again.map((vector) => vector?.[0])).toEqual([2, 3, 1]);
    expect(asked).toEqual([1, 2, 3]);
  });

  it('stay when others come, and then hold on to nothing that they were read with', async () => {
    const { load, asked } = makeLoad();
    const floats = createFloatCache({ max_bytes: 2000 });

    await floats.get([1, 2, 3], load);
    await floats.get([4, 5], load);
    await floats.get([1], load);
    const [kept] = await floats.get([1], load);

    expect(asked).toEqual([1, 2, 3, 4, 5]);
    expect([...(kept ?? [])]).toEqual([1, -1]);
    expect(kept?.buffer.byteLength).toBe(kept?.byteLength);
    expect(floats.bytes()).toBeLessThanOrEqual(2000);
  });
});
