import { invalid } from '../../contract/errors.ts';
import type { Snapshot } from '../../contract/operations/changes.ts';
import { isBareDate, parseInstant } from '../../contract/schemas/filter-value.ts';
import { dayInZone, instantsOfDay } from '../../contract/wall-clock.ts';
import type { Deps, Instant, ProjectRef } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';

type AsOfDeps = Pick<Deps, 'clock' | 'timezone'> & { store: Pick<Deps['store'], 'documents'> };

/** The instant of its day that a date means. */
type DayEdge = 'begin' | 'end';

/** Fields that mean everything from a time on, not what was known at a time. */
const fromFields: readonly string[] = ['since', 'from'];

/**
 * The time that a field such as `as_of` says: a date means the end of that day in the time zone, or
 * now if it is today; in `since` and `from` it means the beginning of the day. Throws if it is
 * ahead of the clock, or neither a time nor the name of a snapshot.
 */
export async function resolveAsOf(
  { store, clock, timezone = 'UTC' }: AsOfDeps,
  project: ProjectRef,
  fields: { [field: string]: string },
): Promise<Instant> {
  const [field = 'as_of', text = ''] = Object.entries(fields)[0] ?? [];
  const now = clock.now();
  const edge = fromFields.includes(field) ? 'begin' : 'end';
  const instant = readInstant(text, { timezone, edge });
  const asOf = instant ?? (await findSnapshot(store, project, text))?.as_of;
  if (asOf === undefined) {
    const problem = `${JSON.stringify(text)} is neither a date, a time nor a snapshot`;
    throw invalid(field, problem);
  }
  if (asOf <= now) return asOf;
  if (isBareDate(text) && dayInZone(now, timezone) === text) return now;
  throw invalid(field, `${text} is in the future; it is ${now} now`);
}

/**
 * The time that `valid_at` says, past or future: a date means the end of that day. It is a calendar
 * time without a zone, like the times from and until which something is true.
 */
export function resolveValidAt(text: string): Instant {
  const instant = readInstant(text, { timezone: 'UTC', edge: 'end' });
  if (instant === undefined) throw invalid('valid_at', `${JSON.stringify(text)} is not a time`);
  return instant;
}

/** A date as an instant of its day; undefined for a text that is not a time. */
export function readInstant(
  text: string,
  { timezone, edge }: { timezone: string; edge: DayEdge },
): Instant | undefined {
  try {
    const instant = parseInstant({ field: 'created_at', path: [] }, text);
    if (!isBareDate(text)) return instant;
    const { begin, end } = instantsOfDay(text, timezone);
    return edge === 'begin' ? begin : addMs(end, -1);
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
