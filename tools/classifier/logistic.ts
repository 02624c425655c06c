import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import { softmax } from '../../src/core/extraction/classifier/linear-model.ts';
import type { LinearModel } from '../../src/core/ports/index.ts';

/** `label` is an index; `group`: examples of one text are never on both sides of a split. */
export type Example = {
  features: Set<number>;
  vector: Float32Array | null;
  label: number;
  group: number;
};

/** `rate` and `start`: of AdaGrad, for buckets; `denseRate`: of the values of vectors. */
export type Training = {
  labels: readonly string[];
  buckets: number;
  dimension: number;
  rounds: number;
  rate: number;
  start: number;
  denseRate: number;
};

/**
 * Multinomial logistic regression by AdaGrad (Duchi, Hazan and Singer 2011), in an order that a
 * fixed seed gives: the same examples make the same model.
 */
export function train(examples: readonly Example[], options: Training): LinearModel {
  const { labels, buckets, dimension, rounds, rate, start, denseRate } = options;
  const weights = labels.map(() => new Float32Array(buckets));
  const squares = labels.map(() => new Float32Array(buckets).fill(start));
  const dense = new Float32Array(labels.length * dimension);
  const biases = new Float32Array(labels.length);
  const random = createRandom(7);
  const order = examples.map((_, index) => index);
  for (let round = 0; round < rounds; round += 1) {
    shuffle(order, random);
    for (const index of order) {
      const { features, vector, label: right } = examples[index] as Example;
      const norm = Math.sqrt(features.size || 1);
      const given = softmax(
        labels.map((_, label) => {
          let logit = biases[label] ?? 0;
          const row = weights[label] as Float32Array;
          for (const feature of features) logit += (row[feature] ?? 0) / norm;
          if (vector !== null)
            for (let at = 0; at < dimension; at += 1)
              logit += (dense[label * dimension + at] ?? 0) * (vector[at] ?? 0);
          return logit;
        }),
      );
      for (let label = 0; label < labels.length; label += 1) {
        const error = (given[label] ?? 0) - (label === right ? 1 : 0);
        if (Math.abs(error) < 1e-3) continue;
        const row = weights[label] as Float32Array;
        const square = squares[label] as Float32Array;
        for (const feature of features) {
          const slope = error / norm;
          square[feature] = (square[feature] ?? 0) + slope * slope;
          row[feature] = (row[feature] ?? 0) - (rate * slope) / Math.sqrt(square[feature] ?? 1);
        }
        biases[label] = (biases[label] ?? 0) - 0.02 * error;
        if (vector === null) continue;
        for (let at = 0; at < dimension; at += 1) {
          const place = label * dimension + at;
          dense[place] = (dense[place] ?? 0) - denseRate * error * (vector[at] ?? 0);
        }
      }
    }
  }
  return quantize({ labels, buckets, weights, dense, biases });
}

function quantize({
  labels,
  buckets,
  weights,
  dense,
  biases,
}: StrictOmit<LinearModel, 'weights' | 'scales'> & { weights: Float32Array[] }): LinearModel {
  const scales = new Float32Array(
    weights.map(
      (row) =>
        Math.max(
          1e-6,
          row.reduce((most, one) => Math.max(most, Math.abs(one)), 0),
        ) / 127,
    ),
  );
  const bytes = new Int8Array(labels.length * buckets);
  weights.forEach((row, label) => {
    row.forEach((one, at) => {
      bytes[label * buckets + at] = Math.round(one / (scales[label] ?? 1));
    });
  });
  return { labels, buckets, weights: bytes, scales, biases, dense };
}

/** Writes what `src/providers/models/linear/linear-model-file.ts` reads. */
export function writeModel(file: string, model: LinearModel): void {
  const { labels, buckets, weights, scales, biases, dense } = model;
  const parts = [scales, biases, dense, weights].map((one) =>
    Buffer.from(one.buffer, one.byteOffset, one.byteLength),
  );
  const body = Buffer.concat(parts);
  const sha256 = createHash('sha256').update(body).digest('hex');
  const dimension = dense.length / labels.length;
  const header = { format: 1, labels, buckets, dimension, bytes: body.length, sha256 };
  writeFileSync(file, Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]));
}

export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle(order: number[], random: () => number): void {
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as number, order[at] as number];
  }
}
