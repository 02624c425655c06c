import { invalid } from '../../contract/errors.ts';
import type { Snapshot } from '../../contract/operations/changes.ts';
import { isBareDate, parseInstant } from '../../contract/schemas/filter-value.ts';
import type { Deps, Instant, ProjectRef } from '../ports/index.ts';

type AsOfDeps = Pick<Deps, 'clock'> & { store: Pick<Deps['store'], 'documents'> };

/**
 * The time that a field such as `as_of` says: a date is meant to its end in UTC, or until now if it
 * is today. Throws if it is ahead of the clock, or neither a time nor the name of a snapshot.
 */
export async function resolveAsOf(
  { store, clock }: AsOfDeps,
  project: ProjectRef,
  said: { [field: string]: string },
): Promise<Instant> {
  const [field = 'as_of', text = ''] = Object.entries(said)[0] ?? [];
  const now = clock.now();
  const named = readInstant(text) ?? (await findSnapshot(store, project, text))?.as_of;
  if (named === undefined) {
    const problem = `${JSON.stringify(text)} is neither a date, a time nor a snapshot`;
    throw invalid(field, problem);
  }
  if (named <= now) return named;
  if (isBareDate(text) && text === now.slice(0, text.length)) return now;
  throw invalid(field, `${text} is in the future; it is ${now} now`);
}

/** The time that `valid_at` says, in the past or to come: a date is meant to its end in UTC. */
export function resolveValidAt(text: string): Instant {
  const instant = readInstant(text);
  if (instant === undefined) throw invalid('valid_at', `${JSON.stringify(text)} is not a time`);
  return instant;
}

function readInstant(text: string): Instant | undefined {
  try {
    const instant = parseInstant({ field: 'created_at', path: [] }, text);
    return isBareDate(text) ? `${instant.slice(0, text.length)}T23:59:59.999Z` : instant;
  } catch {
    return undefined;
  }
}

export async function findSnapshot(
  { documents }: AsOfDeps['store'],
  project: ProjectRef,
  name: string,
): Promise<(Snapshot & { id: string }) | undefined> {
  const all = await documents.list<Snapshot & { id: string }>(project, 'snapshot');
  return all.find((snapshot) => snapshot.name === name);
}
