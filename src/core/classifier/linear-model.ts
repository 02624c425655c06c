import type { LinearModel } from '../ports/index.ts';

/**
 * The probability of each label, from 0 to 1; they add up to 1. A vector of another length than the
 * model's does not count.
 */
export function classify(
  { labels, buckets, weights, scales, biases, dense }: LinearModel,
  features: ReadonlySet<number>,
  vector: Float32Array | null,
): Map<string, number> {
  const size = dense.length / labels.length;
  const norm = Math.sqrt(features.size || 1);
  const logits = labels.map((_, label) => {
    let sum = 0;
    for (const feature of features) sum += weights[label * buckets + feature] ?? 0;
    let logit = (sum * (scales[label] ?? 0)) / norm + (biases[label] ?? 0);
    if (vector !== null && vector.length === size) {
      for (let at = 0; at < size; at += 1) {
        logit += (dense[label * size + at] ?? 0) * (vector[at] ?? 0);
      }
    }
    return logit;
  });
  const shares = softmax(logits);
  return new Map(labels.map((label, index) => [label, shares[index] ?? 0]));
}

/** Makes probabilities, which add up to 1, of the logits of labels. */
export function softmax(logits: readonly number[]): number[] {
  const highest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - highest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}
