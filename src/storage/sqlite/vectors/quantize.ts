/** A vector in signed bytes: `values[i] * scale` approximates the float at i. */
export type QuantizedVector = { values: Int8Array; scale: number };

/** The bytes of a quantized vector: its dimensions, padded with zeros for the kernel. */
export function paddedWidth(dimension: number): number {
  return Math.ceil(dimension / 16) * 16;
}

/** The largest component becomes 127, so that each vector uses the full range of a byte. */
export function quantize(vector: Float32Array): QuantizedVector {
  let largest = 0;
  for (const value of vector) largest = Math.max(largest, Math.abs(value));
  const scale = largest / 127;
  const values = new Int8Array(paddedWidth(vector.length));
  if (scale > 0)
    for (const [index, value] of vector.entries())
      values[index] = value / scale + (value < 0 ? -0.5 : 0.5);
  return { values, scale };
}

/**
 * The dot product of two vectors of equal length: the cosine, if both are unit vectors. Uses four
 * sums, because in one sum each addition would wait for the one before.
 */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = one.length - (one.length % 4);
  for (let at = 0; at < whole; at += 4) {
    first += (one[at] ?? 0) * (other[at] ?? 0);
    second += (one[at + 1] ?? 0) * (other[at + 1] ?? 0);
    third += (one[at + 2] ?? 0) * (other[at + 2] ?? 0);
    fourth += (one[at + 3] ?? 0) * (other[at + 3] ?? 0);
  }
  for (let at = whole; at < one.length; at += 1) first += (one[at] ?? 0) * (other[at] ?? 0);
  return first + second + (third + fourth);
}
