/** The vector scaled to length 1. A vector of zeros stays unchanged. */
export function normalizeVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
