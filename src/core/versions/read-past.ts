import type { Deps, PastTime, ProjectRef, Selection } from '../ports/index.ts';

type PastInput = {
  as_of?: string | undefined;
  valid_at?: string | undefined;
  timezone?: string | undefined;
};

/** The selection of a read, and dependencies whose store is as it was at the times asked for. */
export type PastRead = { at: Deps; selection: Selection; past: PastTime | null };

/** Prepares a read of the past, or of the present, which most reads ask for. */
export async function readAt(
  deps: Deps,
  project: ProjectRef,
  { input, select }: { input: PastInput; select: (now: string) => Selection },
): Promise<PastRead> {
  const past = await findPastTime(deps, project, input);
  if (past === null) return { at: deps, selection: select(deps.clock.now()), past };
  const selection = select(past.as_of);
  const { depsAsOf } = await import('./past-tables.ts');
  return { at: depsAsOf(deps, { ...past, project, selection }), selection, past };
}

/** The times that a read asks about; null for the present. */
export async function findPastTime(
  deps: Deps,
  project: ProjectRef,
  { as_of: recordedAt, valid_at: validAt, timezone = deps.timezone }: PastInput,
): Promise<PastTime | null> {
  if (recordedAt === undefined && validAt === undefined) return null;
  const { resolveAsOf, resolveValidAt } = await import('./resolve-time.ts'); // few ask the past
  const { store, clock } = deps;
  const zone = timezone === undefined ? {} : { timezone };
  const as_of =
    recordedAt === undefined
      ? clock.now()
      : await resolveAsOf({ store, clock, ...zone }, project, { as_of: recordedAt });
  return { as_of, valid_at: validAt === undefined ? null : resolveValidAt(validAt) };
}
