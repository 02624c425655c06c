/** Keys with their values, in no order. */
export type KeyedValues = { keys: Float64Array; values: Float64Array };

/** Collects the `limit` largest of many numbers. */
export type TopK = {
  limit: number;
  /** The minimum that a number must reach to be kept. */
  threshold(): number;
  add(key: number, value: number): void;
  entries(): KeyedValues;
};

/**
 * Collects up to twice as many numbers as requested, then drops the lower half: cheaper than a
 * heap, because nearly all numbers fail the comparison with `least`. The halves are separated by
 * Hoare's FIND (1961), which looks at each number about three times; sorting took longer than
 * scanning the vectors. It also runs in threads from its source text, so it uses only its
 * arguments.
 */
export function createTopK(limit: number): TopK {
  const keys = new Float64Array(2 * limit);
  const values = new Float64Array(2 * limit);
  let count = 0;
  let least = Number.NEGATIVE_INFINITY;

  /** Negative if the entry at this place sorts before this key and value. */
  const compare = (place: number, key: number, value: number) =>
    value - (values[place] ?? 0) || (keys[place] ?? 0) - key;
  const swap = (one: number, other: number) => {
    [keys[one], keys[other]] = [keys[other] ?? 0, keys[one] ?? 0];
    [values[one], values[other]] = [values[other] ?? 0, values[one] ?? 0];
  };
  const cut = () => {
    const last = limit - 1;
    for (let from = 0, to = count - 1; from < to; ) {
      const [key = 0, value = 0] = [keys[last], values[last]];
      let [low, high] = [from, to];
      while (low <= high) {
        while (compare(low, key, value) < 0) low += 1;
        while (compare(high, key, value) > 0) high -= 1;
        if (low > high) break;
        swap(low, high);
        low += 1;
        high -= 1;
      }
      if (high < last) from = low;
      if (last < low) to = high;
    }
    count = limit;
    least = values[last] ?? least;
  };
  return {
    limit,
    threshold: () => least,
    add: (key, value) => {
      if (value < least) return;
      keys[count] = key;
      values[count] = value;
      count += 1;
      if (count === keys.length) cut();
    },
    entries: () => {
      if (count > limit) cut();
      return { keys: keys.slice(0, count), values: values.slice(0, count) };
    },
  };
}

/** Largest first; of equal values, the smaller key first. */
export function sortDescending({ keys, values }: KeyedValues): { key: number; value: number }[] {
  const pairs = Array.from(keys, (key, index) => ({ key, value: values[index] ?? 0 }));
  return pairs.sort((one, other) => other.value - one.value || one.key - other.key);
}
