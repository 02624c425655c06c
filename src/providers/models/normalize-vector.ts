/**
 * The vector scaled to length 1. A vector of zeros stays unchanged. Loops, because a call for each
 * number takes several times as long, and an add makes the vectors of dozens of words.
 */
export function normalizeVector(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  // Squares of 32-bit floats fit into a number, so that nothing overflows.
  const length = Math.sqrt(squares);
  if (length === 0) return vector;
  const unit = new Float32Array(vector.length);
  for (let at = 0; at < unit.length; at += 1) unit[at] = (vector[at] ?? 0) / length;
  return unit;
}
