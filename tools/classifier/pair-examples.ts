import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  comparePair,
  isMove,
  pairFeatures,
  readPairText,
} from '../../src/core/extraction/classifier/pair-features.ts';
import { cached } from '../../src/core/extraction/contradictions.ts';
import type { Example } from './logistic.ts';

/** Whether a statement leaves a fact as it is, or makes it untrue. */
export const pairLabels = ['kept', 'replaced'] as const;

export type LabelledPair = Example & { language: string; kind: string };

/** A line of a file of `pairs/`; README.md says what its fields mean. */
type Pair = { language: string; old: string; new: string; verdict: string };
type Embed = (text: string) => Float32Array | null;

/** Examples of pairs that share a word or a meaning: others are never compared. */
export function pairExamples(folder: string, embedText: Embed): LabelledPair[] {
  const embed = cached(embedText);
  const pairs = readPairs(folder);
  const example = (
    old: string,
    said: string,
    [kind, group, language]: [string, number, string],
  ) => {
    const pair = comparePair(readPairText(old), readPairText(said), embed);
    const { cue, isComparable } = pair;
    // Whoever moved lives no longer where a fact says: that is no stranger's statement.
    if (kind === 'stranger' && isMove(pair.fact, pair.statement)) return [];
    const label = kind === 'replaced' || kind === 'part' ? 1 : 0;
    return isComparable
      ? [{ features: pairFeatures(pair), vector: embed(cue), label, group, language, kind }]
      : [];
  };
  return pairs.flatMap(({ language, old, new: said, verdict }, group) => [
    ...example(old, said, [verdict, group, language]),
    // What somebody says of one thing changes nothing of another.
    ...strangerSteps.flatMap((step) => {
      const other = pairs[(group + step) % pairs.length];
      if (other?.language !== language) return [];
      return example(old, other.new, ['stranger', group, language]);
    }),
  ]);
}

/** The next lines are often about the same thing. */
const strangerSteps = [17, 101, 233];

function readPairs(folder: string): Pair[] {
  return readdirSync(folder)
    .sort()
    .flatMap((file) => readFileSync(join(folder, file), 'utf8').trim().split('\n'))
    .map((line): Pair => JSON.parse(line));
}
