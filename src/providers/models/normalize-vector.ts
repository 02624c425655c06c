/** The vector scaled to length 1. A vector of zeros stays unchanged. */
export function normalizeVector(vector: Float32Array): Float32Array {
  // Squares of 32-bit floats fit into a number, so that nothing overflows.
  const length = Math.sqrt(vector.reduce((total, value) => total + value * value, 0));
  return length === 0 ? vector : vector.map((value) => value / length);
}
