import { inverseDocumentFrequency } from '../../bm25.ts';
import type { ParsedQuery } from '../query/query.ts';
import { bigramWeight, longQuestion } from '../weights.ts';
import type { CandidateFeatures } from './features.ts';
import { featureCount } from './passages.ts';

/** What each part of a question is worth: the fewer memories hold it, the more. */
export type TermWeights = {
  /** The weights of the terms, then of the pairs. */
  features: readonly number[];
  dates: readonly number[];
  /** The weight of all terms and dates together, which one memory can hold. */
  whole: number;
};

/**
 * In a store of a few memories every word is in many of them, which says nothing about how rare it
 * is: they are weighed as if they were among so many.
 */
const collectionSizeMin = 50;

export function weighTerms(
  readings: readonly CandidateFeatures[],
  { terms, dates, size }: Pick<ParsedQuery, 'terms' | 'dates'> & { size: number },
): TermWeights {
  const all = Math.max(size, readings.length, collectionSizeMin);
  const holders = documentFrequencies(readings, terms);
  const rarity = holders.map((count) => inverseDocumentFrequency(count, all));
  const least = leastTellingWeight(rarity.slice(0, terms.length));
  const features = rarity.map((weight, feature) => {
    if (feature >= terms.length) return bigramWeight * weight;
    return weight < least ? 0 : weight;
  });
  const dated = dates.map((_, index) => {
    const count = readings.filter((reading) => (reading.dateOverlap[index] ?? 0) > 0).length;
    return count === 0 ? 0 : inverseDocumentFrequency(count, all);
  });
  const whole = [...features.slice(0, terms.length), ...dated].reduce((sum, one) => sum + one, 0);
  return { features, dates: dated, whole };
}

/** The weight that a word needs to count in a long question, most of whose words say little. */
function leastTellingWeight(weights: readonly number[]): number {
  if (weights.length <= longQuestion.termsMin) return 0;
  return weights.toSorted((one, other) => other - one)[longQuestion.tellingTerms - 1] ?? 0;
}

/** How many memories hold each feature or were said by the person it names. */
function documentFrequencies(
  readings: readonly CandidateFeatures[],
  terms: ParsedQuery['terms'],
): number[] {
  const holders = new Array<number>(featureCount(terms)).fill(0);
  for (const reading of readings) {
    for (let feature = 0; feature < holders.length; feature += 1) {
      if (holdsFeature(reading, feature)) holders[feature] = (holders[feature] ?? 0) + 1;
    }
  }
  return holders;
}

function holdsFeature({ passages, speakerTerms }: CandidateFeatures, feature: number): boolean {
  if (speakerTerms[feature]) return true;
  for (const { counts } of passages) if ((counts[feature] ?? 0) > 0) return true;
  return false;
}
