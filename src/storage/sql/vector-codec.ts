/** The scale before the components of an encoded vector: a float, little-endian. */
export const scaleBytes = 4;

/** The length of an encoded vector. */
export function encodedBytes(dimension: number): number {
  return scaleBytes + dimension;
}

/** Encoded vectors of the same length, which follow each other in the order of their keys. */
export type EncodedVectors = { keys: readonly number[]; rows: Uint8Array };

/**
 * A vector as a scale and a signed byte for each component: a quarter of the bytes of floats. The
 * similarity of two unit vectors of 384 dimensions differs by about .0005. What is decoded is
 * encoded without a difference.
 */
export function encodeVector(vector: Float32Array): Uint8Array {
  const scale = scaleOf(vector);
  const encoded = new Uint8Array(encodedBytes(vector.length));
  const components = new Int8Array(encoded.buffer, scaleBytes);
  new DataView(encoded.buffer).setFloat32(0, scale, true);
  if (scale === 0) return encoded;
  for (let at = 0; at < vector.length; at += 1) {
    components[at] = Math.round((vector[at] ?? 0) / scale);
  }
  return encoded;
}

export function decodeVector(encoded: Uint8Array): Float32Array {
  const { buffer, byteOffset, byteLength } = encoded;
  const scale = new DataView(buffer, byteOffset).getFloat32(0, true);
  const components = new Int8Array(buffer, byteOffset + scaleBytes, byteLength - scaleBytes);
  return Float32Array.from(components, (component) => component * scale);
}

/**
 * With it, the largest component becomes 127, so that each vector uses the full range of a byte. It
 * has 17 significant bits, so that its product with a byte is a float without rounding.
 */
function scaleOf(vector: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at += 1) {
    largest = Math.max(largest, Math.abs(vector[at] ?? 0));
  }
  if (!Number.isFinite(largest)) return 0;
  const scale = Float32Array.of(largest / 127);
  const bits = new Uint32Array(scale.buffer);
  bits[0] = ((bits[0] ?? 0) + droppedBits) & ~droppedBits;
  return scale[0] ?? 0;
}

/** Seven of the 24 significant bits of a float are dropped. */
const droppedBits = 2 ** 7 - 1;
