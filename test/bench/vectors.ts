import { randomOf } from '../support/vectors.ts';

/** Texts are of so many topics; vectors of one topic are near each other, as real ones are. */
const topics = 500;

/** The vector of a number: the same at every run, of length 1. */
export function clusteredVector(index: number, dimension: number): Float32Array {
  const topic = randomOf(index % topics);
  const own = randomOf(topics + index);
  const vector = Float32Array.from({ length: dimension }, () => topic() + own());
  const length = Math.sqrt(dotProduct(vector, vector));
  return vector.map((value) => value / length);
}

export function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1)
    sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}
