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

/**
 * A vector in half the bytes of floats: an exponent, then numbers of 16 bits, each to be multiplied
 * by that power of two. The nearest come out in the same order as with floats; only bytes are too
 * rough for that. What is decoded is encoded without a difference.
 */
export function encodeVector(vector: Float32Array): Uint8Array {
  const exponent = exponentOf(vector);
  const unit = 2 ** exponent;
  const encoded = new Int16Array(vector.length + 1);
  encoded[0] = exponent;
  for (let at = 0; at < vector.length; at += 1) {
    encoded[at + 1] = Math.round((vector[at] ?? 0) / unit);
  }
  return bytesOf(encoded);
}

/** The length of an encoded vector. */
export function encodedBytes(dimension: number): number {
  return (dimension + 1) * Int16Array.BYTES_PER_ELEMENT;
}

/** The largest number of 16 bits that has a negative counterpart. */
const largestInteger = 2 ** 15 - 1;

/** All 32-bit floats are multiples of 2 to the power of this. */
const exponentMin = -149;

/** The smallest with which the largest component has room. */
function exponentOf(vector: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at += 1) {
    largest = Math.max(largest, Math.abs(vector[at] ?? 0));
  }
  if (largest === 0 || !Number.isFinite(largest)) return 0;
  let exponent = Math.max(exponentMin, Math.floor(Math.log2(largest / largestInteger)));
  while (largestInteger * 2 ** exponent < largest) exponent += 1;
  return exponent;
}

export function decodeVector(blob: Uint8Array): Float32Array {
  return decodeVectors(blob, 1);
}

/** The numbers of so many vectors of the same length, which follow each other. */
export function decodeVectors(blob: Uint8Array, count: number): Float32Array {
  const encoded = toIntegers(blob);
  const width = count === 0 ? 0 : encoded.length / count;
  const numbers = new Float32Array(encoded.length - count);
  let next = 0;
  for (let start = 0; start < encoded.length; start += width) {
    const unit = 2 ** (encoded[start] ?? 0);
    for (let at = start + 1; at < start + width; at += 1) {
      numbers[next] = (encoded[at] ?? 0) * unit;
      next += 1;
    }
  }
  return numbers;
}

/** A copy where the driver's buffer is not aligned for wider numbers. */
function toIntegers(blob: Uint8Array): Int16Array {
  const size = Int16Array.BYTES_PER_ELEMENT;
  const { buffer, byteOffset, byteLength } =
    blob.byteOffset % size === 0 ? blob : new Uint8Array(blob);
  return new Int16Array(buffer, byteOffset, byteLength / size);
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
