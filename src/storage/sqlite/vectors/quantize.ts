/** A query in numbers of 16 bits: a component is its integer times `scale`. */
export type QuantizedQuery = {
  /** The number of components. */
  dimension: number;
  /** The components, padded with zeros for the kernel. */
  query: Int16Array;
  scale: number;
};

/** The width of a row in the kernel's memory. */
export function paddedWidth(dimension: number): number {
  return Math.ceil(dimension / 16) * 16;
}

/**
 * Uses as much of the range of 16 bits as keeps a sum of products with bytes below 2^31: the sum is
 * at most the product of the lengths of both.
 */
export function quantizeQuery(vector: Float32Array): QuantizedQuery {
  const query = new Int16Array(paddedWidth(vector.length));
  let largest = 0;
  let squares = 0;
  for (const value of vector) {
    largest = Math.max(largest, Math.abs(value));
    squares += value * value;
  }
  const root = Math.sqrt(query.length);
  const longest = 2 ** 31 / (127 * root) - root; // less what rounding may add
  const scale = Math.max(largest / (2 ** 15 - 1), Math.sqrt(squares) / longest);
  if (scale > 0) for (const [at, value] of vector.entries()) query[at] = Math.round(value / scale);
  return { dimension: vector.length, query, scale };
}

/**
 * The product of a query and the bytes from a place on, as the kernel computes it. Uses four sums,
 * because in one sum each addition would wait for the one before.
 */
export function dotProduct(
  { query, dimension }: QuantizedQuery,
  bytes: Int8Array,
  from: number,
): number {
  let [first, second, third, fourth] = [0, 0, 0, 0];
  const whole = dimension - (dimension % 4);
  for (let at = 0; at < whole; at += 4) {
    first += (query[at] ?? 0) * (bytes[from + at] ?? 0);
    second += (query[at + 1] ?? 0) * (bytes[from + at + 1] ?? 0);
    third += (query[at + 2] ?? 0) * (bytes[from + at + 2] ?? 0);
    fourth += (query[at + 3] ?? 0) * (bytes[from + at + 3] ?? 0);
  }
  for (let at = whole; at < dimension; at += 1) first += (query[at] ?? 0) * (bytes[from + at] ?? 0);
  return first + second + third + fourth;
}
