import { bucketOf, classifierTokens } from './hashing.ts';

/** A power of two. */
export const forgetBuckets = 1 << 14;

/** The features of a sentence that may ask to forget something: its words, in ones to threes. */
export function forgetFeatures(sentence: string): Set<number> {
  const features = new Set<number>();
  const tokens = classifierTokens(sentence).map(({ token }) => token);
  const padded = ['<', ...tokens, '>'];
  for (let size = 1; size <= 3; size += 1) {
    for (let at = 0; at + size <= padded.length; at += 1) {
      features.add(bucketOf(padded.slice(at, at + size).join(' '), forgetBuckets));
    }
  }
  // Forms of one verb begin alike.
  for (const token of tokens) {
    if (token.length > stemChars)
      features.add(bucketOf(`begins ${token.slice(0, stemChars)}`, forgetBuckets));
  }
  return features;
}

const stemChars = 4;
