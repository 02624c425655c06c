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
