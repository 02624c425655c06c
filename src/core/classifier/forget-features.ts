import { bucketsOf, classifierTokens, gramsOf } from './hashing.ts';

/** A power of two. */
export const forgetBuckets = 1 << 14;

/** The features of a sentence that may ask to forget something: its words, in ones to threes. */
export function forgetFeatures(sentence: string): Set<number> {
  const tokens = classifierTokens(sentence).map(({ token }) => token);
  const names = gramsOf(tokens, 3);
  // Forms of one verb begin alike.
  for (const token of tokens) {
    if (token.length > stemChars) names.push(`begins ${token.slice(0, stemChars)}`);
  }
  return bucketsOf(names, forgetBuckets);
}

const stemChars = 4;
