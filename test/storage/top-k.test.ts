import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTopK, sortDescending } from '../../src/storage/sqlite/vectors/top-k.ts';
import { tries } from '../support/rounds.ts';

describe('the best of many numbers', () => {
  it('are the largest, and of equal ones those with the smaller keys, in whatever order they come', () => {
    const values = fc.array(fc.integer({ min: -5, max: 5 }).map((value) => value / 4));
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), fc.nat(), (numbers, limit, turn) => {
        const all = numbers.map((value, index) => ({ key: (index * 7919 + turn) % 10_007, value }));
        const best = createTopK(limit);
        for (const { key, value } of all) best.add(key, value);

        const expected = all
          .toSorted((one, other) => other.value - one.value || one.key - other.key)
          .slice(0, limit);
        expect(sortDescending(best.entries())).toEqual(expected);
        expect([...best.entries().keys].sort()).toEqual(expected.map(({ key }) => key).sort());
      }),
      tries(100),
    );
  });

  it.each([
    ['rise', (index: number) => index],
    ['fall', (index: number) => -index],
    ['are all the same', () => 1],
  ])('are found if numbers %s', (_, numberAt) => {
    const best = createTopK(100);
    for (let key = 0; key < 100_000; key += 1) best.add(key, numberAt(key));

    const all = Array.from({ length: 100_000 }, (_, key) => ({ key, value: numberAt(key) }));
    const expected = all.sort((one, other) => other.value - one.value || one.key - other.key);
    expect(sortDescending(best.entries())).toEqual(expected.slice(0, 100));
  });
});
