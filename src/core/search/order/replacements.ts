import { resolveConflicts } from '../../memory/resolve-conflicts.ts';
import type { Candidate, Deps, ProjectRef } from '../../ports/index.ts';
import type { ParsedQuery } from '../query/query.ts';
import type { CandidateFeatures } from '../rank/features.ts';
import { asksForPast } from './newer-first.ts';

export type NamingCandidate = Pick<Candidate, 'id' | 'position' | 'may_replace'>;

/** Candidates that may replace others and are true now; empty for a question about the past. */
export function namingCandidates(
  readings: readonly CandidateFeatures[],
  about: { query: string; question: ParsedQuery; now: string },
): NamingCandidate[] {
  const naming = readings.flatMap(({ memory }) => {
    const { may_replace, valid_until } = memory;
    const isOver = valid_until !== null && valid_until <= about.now;
    return may_replace.length === 0 || isOver ? [] : [memory];
  });
  return naming.length === 0 || asksForPast(about) ? [] : naming;
}

/**
 * Places a result that may replace a better one directly before it, with the same score. Both stay,
 * because both may be true. Costs one statement if there are such pairs.
 */
export async function placeReplacements<T extends { id: string }>(
  { store, clock, timezone }: Pick<Deps, 'store' | 'clock' | 'timezone'>,
  project: ProjectRef,
  { ranked, naming }: { ranked: readonly T[]; naming: readonly NamingCandidate[] },
): Promise<readonly T[]> {
  const ranks = new Map(ranked.map(({ id }, rank) => [id, rank]));
  const pairs = naming.filter(({ id, may_replace }) => {
    return ranks.has(id) && may_replace.some((older) => ranks.has(older));
  });
  if (pairs.length === 0) return ranked;
  const ids = new Set(pairs.flatMap(({ id, may_replace }) => [id, ...may_replace]));
  const memories = await store.memories.findMany(project, [...ids]);
  const reader = { memories: store.memories, now: clock.now(), timezone };
  const conflicts = await resolveConflicts(reader, project, memories);
  const order = ranked.slice();
  // The oldest first, so that what replaces a replacement comes before both.
  for (const { id } of pairs.toSorted((one, other) => one.position - other.position)) {
    const to = order.findIndex((one) => conflicts.get(id)?.includes(one.id));
    const from = order.findIndex((one) => one.id === id);
    const target = order[to];
    if (target === undefined || from < to) continue;
    order.splice(from, 1);
    order.splice(to, 0, { ...target, id });
  }
  return order;
}
