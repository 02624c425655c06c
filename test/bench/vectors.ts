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

/** Mulberry32: numbers from -0.5 to 0.5 that are the same at every run. */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 - 0.5;
  };
}
