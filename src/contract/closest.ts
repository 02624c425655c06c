import { distance, closest as nearest } from 'fastest-levenshtein';

/** The candidate that was probably meant by a misspelt word; null when none is near. */
export function closest(word: string, candidates: readonly string[]): string | null {
  if (candidates.length === 0) return null;
  const found = nearest(word.toLowerCase(), [...candidates]);
  const mistakesMax = Math.max(2, Math.floor(found.length / 3));
  return distance(word.toLowerCase(), found) <= mistakesMax ? found : null;
}
