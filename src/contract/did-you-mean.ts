import { distance } from 'fastest-levenshtein';

/** The candidate that a misspelt name most likely means; null when none is close. */
export function closestName(name: string, candidates: Iterable<string>): string | null {
  const short = name.slice(0, comparedNameMaxChars).toLowerCase();
  let best: { candidate: string; edits: number } | null = null;
  for (const candidate of candidates) {
    const edits = editsBetween(short, candidate.toLowerCase());
    if (best === null || edits < best.edits) best = { candidate, edits };
  }
  const allowed = Math.max(1, Math.floor(short.length / 3));
  return best !== null && best.edits <= allowed ? best.candidate : null;
}

/** Letters that change places are one mistake. */
function editsBetween(one: string, other: string): number {
  const edits = distance(one, other);
  const areSwapped = edits === 2 && [...one].sort().join('') === [...other].sort().join('');
  return areSwapped ? 1 : edits;
}

/** Longer names are cut, so that a hostile name costs no time. */
const comparedNameMaxChars = 100;

/** ` Did you mean "x"?`, or an empty text when no candidate is close. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const closest = closestName(name, candidates);
  return closest === null ? '' : ` Did you mean "${closest}"?`;
}
