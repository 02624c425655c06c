import { paddedWidth, quantize } from './quantize.ts';

/**
 * Vectors per segment. Those in none yet are read at each search, half a segment on average, which
 * favours small segments; but each segment costs a kernel call and a key.
 */
export const segmentSize = 512;

/** Quantized vectors of one project and model, contiguous, so that one pass scans them all. */
export type Segment = {
  /** The keys of the vectors, ascending. */
  keys: Float64Array;
  scales: Float32Array;
  /** As many rows as keys, each of `paddedWidth(dimension)` bytes. */
  rows: Int8Array;
};

export function buildSegment(vectors: readonly { key: number; vector: Float32Array }[]): Segment {
  const width = paddedWidth(vectors[0]?.vector.length ?? 0);
  const keys = Float64Array.from(vectors, ({ key }) => key);
  const scales = new Float32Array(vectors.length);
  const rows = new Int8Array(vectors.length * width);
  for (const [index, { vector }] of vectors.entries()) {
    const { values, scale } = quantize(vector);
    scales[index] = scale;
    rows.set(values, index * width);
  }
  return { keys, scales, rows };
}

/** Keys, scales and rows in sequence, little-endian. */
export function encodeSegment({ keys, scales, rows }: Segment): Uint8Array {
  return Buffer.concat([bytesOf(keys), bytesOf(scales), bytesOf(rows)]);
}

export function decodeSegment(blob: Uint8Array, count: number): Segment {
  // A copy, because the driver's buffer may not be aligned for wider numbers.
  const { buffer } = new Uint8Array(blob);
  const scalesAt = count * Float64Array.BYTES_PER_ELEMENT;
  const rowsAt = scalesAt + count * Float32Array.BYTES_PER_ELEMENT;
  return {
    keys: new Float64Array(buffer, 0, count),
    scales: new Float32Array(buffer, scalesAt, count),
    rows: new Int8Array(buffer, rowsAt),
  };
}

export function encodeVector(vector: Float32Array): Uint8Array {
  return bytesOf(vector);
}

/** Decodes one vector, or several in sequence. */
export function decodeVector(blob: Uint8Array): Float32Array {
  const { byteOffset, byteLength, buffer } = blob;
  const size = Float32Array.BYTES_PER_ELEMENT;
  if (byteOffset % size === 0) return new Float32Array(buffer, byteOffset, byteLength / size);
  return new Float32Array(new Uint8Array(blob).buffer);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
