type WrittenStatement = { text: string; values: readonly (string | Buffer | null)[] };

/** Few and small enough that writing a part takes a millisecond or two. */
const statementsMax = 50;
const lengthMax = 250_000;

/** Cuts statements, in order, into parts that are written at once. */
export function* partsToWrite<S extends WrittenStatement>(
  all: readonly S[],
): Generator<{ statements: readonly S[]; isLast: boolean }> {
  let from = 0;
  let length = 0;
  for (const [at, statement] of all.entries()) {
    length += lengthOf(statement);
    const next = at + 1;
    const isLast = next === all.length;
    if (!isLast && next - from < statementsMax && length < lengthMax) continue;
    yield { statements: all.slice(from, next), isLast };
    from = next;
    length = 0;
  }
}

function lengthOf({ text, values }: WrittenStatement): number {
  let length = text.length;
  for (const value of values) length += value?.length ?? 0;
  return length;
}
