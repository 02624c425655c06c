import { invalid } from '../../contract/errors.ts';
import type { MemoryChange } from '../../contract/operations/changes.ts';
import { dayMs } from '../../contract/wall-clock.ts';
import type { Output, Parsed } from '../../contract.ts';
import type { Deps, Instant, ProjectCall, StoredHistoryEntry } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { decodeCursor, encodeCursor } from './change-cursor.ts';

type ListChangesDeps = Pick<Deps, 'store' | 'clock' | 'versions_kept'>;

/** What changed after a cursor. An answer is complete: no change before its cursor comes later. */
export async function listChanges(
  { store: { history }, clock, versions_kept }: ListChangesDeps,
  { after, limit, user_id, agent_id, app_id, run_id }: Parsed<'list_changes'>,
  { project }: ProjectCall,
): Promise<Output<'list_changes'>> {
  const now = clock.now();
  const days = versions_kept.history_days;
  const since = days === 0 ? null : addMs(now, -days * dayMs);
  const last = await history.lastPosition(project);
  if (after === 'now') {
    return { results: [], cursor: encodeCursor({ position: last, at: now }), has_more: false };
  }
  const from = after === undefined ? 0 : readCursor(after, { last, since, days });
  const changes = await history.listAfter(project, {
    ids: { user_id, agent_id, app_id, run_id },
    after: from,
    until: last,
    since: after === undefined ? since : null,
    limit: limit + 1,
  });
  const results = changes.slice(0, limit).map((entry) => toChange(entry, now));
  const has_more = changes.length > limit;
  const cursor = has_more ? results.at(-1)?.cursor : undefined;
  return { results, cursor: cursor ?? encodeCursor({ position: last, at: now }), has_more };
}

type CursorBounds = { last: number; since: Instant | null; days: number };

/** @throws {ApiError} invalid, with where to begin again */
function readCursor(after: string, { last, since, days }: CursorBounds): number {
  const cursor = decodeCursor(after);
  if (cursor === null) {
    throw invalid('after', `must be a cursor of an earlier answer, or "now"; ${beginAgain}`);
  }
  const { position, at } = cursor;
  if (since !== null && at < since) {
    const problem = `this cursor is of ${at}, and changes are kept for ${days} days (history_days)`;
    throw invalid('after', `${problem}; ${beginAgain}`);
  }
  if (position > last) {
    const problem = 'this cursor is ahead of the store, which was restored or erased since';
    throw invalid('after', `${problem}; ${beginAgain}`);
  }
  return position;
}

const beginAgain =
  'begin again: call with after "now", list the memories, and go on with its cursor';

function toChange(
  {
    position,
    input: _,
    created_at: __,
    updated_at,
    new_memory,
    ...entry
  }: StoredHistoryEntry & {
    position: number;
  },
  now: Instant,
): MemoryChange {
  const cursor = encodeCursor({ position, at: now });
  return { ...entry, memory: new_memory, recorded_at: updated_at, cursor };
}
