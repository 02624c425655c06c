import type { Deps, PastTime, ProjectRef, Selection } from '../ports/index.ts';

type PastInput = {
  as_of?: string | undefined;
  valid_at?: string | undefined;
  timezone?: string | undefined;
};

/** What a read is about, and dependencies whose store is as it was at the times it asks for. */
export type PastRead = { at: Deps; selection: Selection; past: PastTime | null };

/** Both for the present as well, which most reads ask about. */
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
  { as_of: recordedAt, valid_at: held, timezone = deps.timezone }: PastInput,
): Promise<PastTime | null> {
  if (recordedAt === undefined && held === undefined) return null;
  const { resolveAsOf, resolveValidAt } = await import('./resolve-time.ts'); // few ask the past
  const { store, clock } = deps;
  const zone = timezone === undefined ? {} : { timezone };
  const as_of =
    recordedAt === undefined
      ? clock.now()
      : await resolveAsOf({ store, clock, ...zone }, project, { as_of: recordedAt });
  return { as_of, valid_at: held === undefined ? null : resolveValidAt(held) };
}
