import * as z from 'zod';
import type { LinearModel } from '../../../core/ports/index.ts';
import { readTableFile, TableHeader } from '../static/table-file.ts';

const Header = TableHeader.extend({
  labels: z.array(z.string()).min(2),
  buckets: z.int().min(1),
});

/**
 * Reads a classifier that `tools/classifier/train.ts` wrote: a line of JSON, then the scales,
 * biases and weights of vectors (float32, little-endian), then the weights of buckets (int8).
 * Throws if the file is missing, cut short or changed.
 */
export function readLinearModel(file: string): LinearModel {
  const { header, body } = readTableFile(file, Header, { verify: true });
  const { labels, buckets, dimension } = header;
  let at = 0;
  const floats = (count: number) => {
    // Copied, because a view of floats must begin at a multiple of 4 bytes.
    const copy = new Uint8Array(body.subarray(at, at + count * 4));
    at += count * 4;
    return new Float32Array(copy.buffer);
  };
  const [scales, biases] = [floats(labels.length), floats(labels.length)];
  const dense = floats(labels.length * dimension);
  const weights = new Int8Array(body.buffer, body.byteOffset + at, labels.length * buckets);
  return { labels, buckets, weights, scales, biases, dense };
}
