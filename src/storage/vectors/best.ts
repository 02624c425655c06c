/** The `limit` largest of many numbers, found while they pass by. */
export type Best = {
  limit: number;
  /** What a number must be larger than to get in. */
  least(): number;
  add(key: number, value: number): void;
  /** Largest first; of equal ones the smaller key. */
  sorted(): { key: number; value: number }[];
};

/**
 * Collects up to twice as many as are asked for, then drops the lower half: cheaper for long passes
 * than a heap, because nearly all numbers fail the comparison with `least`.
 */
export function createBest(limit: number): Best {
  let kept: { key: number; value: number }[] = [];
  let least = Number.NEGATIVE_INFINITY;
  const cut = () => {
    kept.sort((a, b) => b.value - a.value || a.key - b.key);
    kept = kept.slice(0, limit);
    if (kept.length === limit) least = kept.at(-1)?.value ?? least;
  };
  return {
    limit,
    least: () => least,
    add: (key, value) => {
      if (value < least) return;
      kept.push({ key, value });
      if (kept.length >= 2 * limit) cut();
    },
    sorted: () => {
      cut();
      return kept;
    },
  };
}
