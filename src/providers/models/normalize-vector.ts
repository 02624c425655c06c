/** The same direction, of length 1. A vector of zeros has none and stays what it is. */
export function normalizeVector(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
