import { expect, it } from 'vitest';
import { decodeVector, encodeVector } from '../../src/storage/sql/vector-codec.ts';
import { quantizeQuery } from '../../src/storage/sqlite/vectors/quantize.ts';
import { isotropic, type Random } from '../support/vectors.ts';

/** Steps of a golden section reach every part of the range. */
function steps(): Random {
  let at = 0;
  return () => (at = (at + 0.618_033_988_749) % 1);
}

it('a stored vector is nearly as near as one of floats, and is kept without a loss', () => {
  const numbers = isotropic(200, { dimension: 384, random: steps() });
  const special = [[1, -1, 2 ** -149], [2 ** -149, 0], [2 ** -140], [Number.POSITIVE_INFINITY]];
  const others = special.map((values) => Float32Array.from(values));
  for (const vector of [...numbers, new Float32Array(384), ...others]) {
    const stored = encodeVector(vector);
    const decoded = decodeVector(stored);

    expect(stored.byteLength).toBe(vector.length + 4);
    expect(encodeVector(decoded)).toEqual(stored);
    const largest = Math.max(...vector.map(Math.abs));
    for (const [at, value] of vector.entries()) {
      expect(Math.abs(value - (decoded[at] ?? 0))).toBeLessThanOrEqual(largest / 253 + 2 ** -140);
    }
  }
});

it('no query is so long that its products with stored vectors overflow', () => {
  for (const width of [16, 384, 1024, 16_384]) {
    for (const vector of [
      new Float32Array(width).fill(1 / Math.sqrt(width)),
      Float32Array.from({ length: width }, (_, at) => (at === 7 ? 1 : 0)),
    ]) {
      const { query, scale } = quantizeQuery(vector);

      const largest = query.reduce((sum, value) => sum + 127 * Math.abs(value), 0);
      expect(largest).toBeLessThan(2 ** 31);
      const similarity =
        query.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0) * scale;
      expect(similarity).toBeCloseTo(1, 3);
    }
  }
});
