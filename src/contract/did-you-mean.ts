import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt name most likely means; null when none is close. */
export function closestName(name: string, candidates: Iterable<string>): string | null {
  const short = name.slice(0, comparedNameMaxChars).toLowerCase();
  let best: { candidate: string; edits: number } | null = null;
  for (const candidate of candidates) {
    const edits = distance(short, candidate.toLowerCase());
    if (best === null || edits < best.edits) best = { candidate, edits };
  }
  const allowed = Math.max(2, Math.floor(short.length / 3));
  return best !== null && best.edits <= allowed ? best.candidate : null;
}

/** Longer names are cut, so that a hostile name costs no time. */
const comparedNameMaxChars = 100;

/** ` Did you mean "x"?`, or an empty text when no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const closest = closestName(name, candidates);
  return closest === null ? '' : ` Did you mean "${closest}"?`;
}

/**
 * The name that a word certainly means: it differs in upper and lower case, in one letter (of long
 * names two) or in their order. Null for any other word.
 */
export function misspeltName(word: string, names: readonly string[]): string | null {
  const lower = word.toLowerCase();
  const means = (name: string) =>
    distance(lower, name) <= (name.length > 5 ? 2 : 1) || sortLetters(lower) === sortLetters(name);
  return names.find(means) ?? null;
}

function sortLetters(word: string): string {
  return [...word].sort().join('');
}
