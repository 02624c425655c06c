/** A source of numbers, one per call. */
export type Random = () => number;

/** Numbers from -0.5 to 0.5 that are the same in every run (Mulberry32). */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296 - 0.5;
  };
}

/** Normally distributed numbers that are the same in every run (Box and Muller, 1958). */
export function normalOf(seed: number): Random {
  const random = randomOf(seed);
  const uniform = () => 1 - (random() + 0.5); // never 0, which has no logarithm
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** The vector of length 1 in the direction of these values. */
export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}

type Shape = { dimension: number; random: Random };

/** Uniform in direction if the numbers are normally distributed. */
export function isotropic(count: number, { dimension, random }: Shape): Float32Array[] {
  return Array.from({ length: count }, () => unit(Array.from({ length: dimension }, random)));
}

/** Each within `spread` of one of some topics, like the texts of a person. */
export function clustered(
  count: number,
  { topics, spread, ...shape }: Shape & { topics: number; spread: number },
): Float32Array[] {
  const middles = isotropic(topics, shape);
  return Array.from({ length: count }, (_, index) => {
    const middle = [...(middles[index % topics] ?? [])];
    return unit(middle.map((value) => value + spread * shape.random()));
  });
}
