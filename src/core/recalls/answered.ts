import type { RecallingOperation } from '../../contract/operations/recalls.ts';
import type { Deps, Instant, PastTime, RecalledHit, Selection } from '../ports/index.ts';

type AskedInput = Readonly<Record<string, unknown>> & { query?: string | undefined };

/** An answer that may be kept. */
export type Answered = {
  operation: RecallingOperation;
  input: AskedInput;
  selection: Selection;
  past: PastTime | null;
  since: Instant;
  hits: readonly RecalledHit[];
  /** What was answered, as text. */
  answer: string;
};

export type RecallDeps = Pick<Deps, 'store' | 'ids' | 'secrets'>;

/** Fields whose values may say what was asked. */
export const tellingFields: ReadonlySet<string> = new Set([
  'filters',
  'metadata',
  'keywords',
  'categories',
]);

/** The input of a read without what says what was asked, for projects that keep hashes only. */
export function withoutQuestion(input: object): Record<string, unknown> {
  const isTelling = (field: string) => field === 'query' || tellingFields.has(field);
  return Object.fromEntries(Object.entries(input).filter(([field]) => !isTelling(field)));
}
