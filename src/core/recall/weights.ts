import { featureCount } from './passages.ts';
import type { Question } from './question.ts';
import type { Reading } from './readings.ts';

/** What each part of a question is worth: the fewer memories hold it, the more. */
export type Weights = {
  /** Of terms, then of pairs. */
  features: readonly number[];
  dates: readonly number[];
  /** Of the whole question, as far as one memory can hold it. */
  whole: number;
};

/**
 * What two words in the order of the question add to the words themselves. From the first
 * measurements; .1 to .5 find nearly the same.
 */
const pairWeight = 0.2;

/**
 * In a store of a few memories every word is in many of them, which says nothing about how rare it
 * is: they are weighed as if they were among so many.
 */
const sizeMin = 50;

export function weigh(
  readings: readonly Reading[],
  { terms, dates, size }: Pick<Question, 'terms' | 'dates'> & { size: number },
): Weights {
  const all = Math.max(size, readings.length, sizeMin);
  const holders = countHolders(readings, terms);
  const features = holders.map(
    (count, feature) => (feature < terms.length ? 1 : pairWeight) * inverseFrequency(count, all),
  );
  const dated = dates.map((_, index) => {
    const count = readings.filter((reading) => (reading.dated[index] ?? 0) > 0).length;
    return count === 0 ? 0 : inverseFrequency(count, all);
  });
  const whole = [...features.slice(0, terms.length), ...dated].reduce((sum, one) => sum + one, 0);
  return { features, dates: dated, whole };
}

/** How many memories hold each feature, or were said by whom it names. */
function countHolders(readings: readonly Reading[], terms: Question['terms']): number[] {
  const holders = new Array<number>(featureCount(terms)).fill(0);
  for (const reading of readings) {
    for (let feature = 0; feature < holders.length; feature += 1) {
      if (holds(reading, feature)) holders[feature] = (holders[feature] ?? 0) + 1;
    }
  }
  return holders;
}

function holds({ passages, named }: Reading, feature: number): boolean {
  if (named[feature]) return true;
  for (const { counts } of passages) if ((counts[feature] ?? 0) > 0) return true;
  return false;
}

/** Robertson's idf, with 1 added inside the logarithm so that no term counts against a match. */
function inverseFrequency(holders: number, size: number): number {
  return Math.log(1 + (size - holders + 0.5) / (holders + 0.5));
}
