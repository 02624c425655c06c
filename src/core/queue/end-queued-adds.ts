import { isObject } from '../../contract/is-object.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter, FilterComparison } from '../../contract/schemas/filter.ts';
import type { UnitOfWork } from '../history/record.ts';
import { eventToKeep } from '../history/source.ts';
import { compareEntityId, matchWhatIsKnown } from '../known-match.ts';
import type { Deps } from '../ports/index.ts';

/** The fate of the memories that the ended adds would have stored. */
type EndedBy = 'deleted' | 'erased';

/**
 * Ends the adds that are queued or under way and whose memories would all match the filter by their
 * entity ids and metadata; returns their events. Comes before the memories are read: what an add
 * has stored by then is there to be found, and it stores nothing more.
 */
export async function endQueuedAdds(
  deps: Pick<Deps, 'clock' | 'keep_source'>,
  { tables, project }: UnitOfWork,
  { filter, by }: { filter: Filter; by: EndedBy },
): Promise<string[]> {
  const ids: string[] = [];
  for (const { id, ...owners } of await tables.events.listQueued(project)) {
    const ofOwners = matchWhatIsKnown(filter, (part) => compareOwner(part, owners));
    if (ofOwners === false) continue;
    const metadata = ofOwners === null ? await metadataOf({ tables, project }, id) : {};
    const isMatch = (part: FilterComparison) =>
      part.field === 'metadata' ? compareMetadata(part, metadata) : compareOwner(part, owners);
    if (matchWhatIsKnown(filter, isMatch)) ids.push(id);
  }
  if (ids.length === 0) return ids;
  const now = deps.clock.now();
  const error = `what it was about was ${by} before this was done`;
  const settled = { status: 'FAILED', error, completed_at: now, updated_at: now } as const;
  await tables.events.settleUnfinished(project, ids, settled);
  for (const id of ids) {
    const event = await tables.events.find(project, id);
    const { payload } =
      by === 'erased' ? { payload: {} } : eventToKeep(deps, event?.payload ?? {}, []);
    if (payload !== undefined)
      await tables.events.update(project, id, { payload, updated_at: now });
  }
  return ids;
}

/** Whether an add that is queued or under way is of this entity. */
export async function isQueuedOwner(
  { tables, project }: UnitOfWork,
  { field, id }: { field: keyof EntityIds; id: string },
): Promise<boolean> {
  const queued = await tables.events.listQueued(project);
  return queued.some((event) => event[field] === id);
}

async function metadataOf({ tables, project }: UnitOfWork, id: string): Promise<unknown> {
  return (await tables.events.find(project, id))?.payload.metadata ?? {};
}

function compareOwner(part: FilterComparison, owners: EntityIds): boolean | null {
  const field = entityIdFields.find((name) => name === part.field);
  if (field === undefined) return null;
  const id = owners[field];
  if (id !== null) return compareEntityId(part, id);
  if (part.operator === 'ne' || part.operator === 'nin') return null;
  return [part.value].flat().includes(null) && part.operator !== 'exists';
}

/** Null for what the store compares in its own way, such as a number with a text. */
function compareMetadata({ path, operator, value }: FilterComparison, metadata: unknown) {
  const stored = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), metadata);
  if (operator === 'exists') return stored === undefined || stored === null ? null : true;
  if (operator !== 'eq' && operator !== 'in') return null;
  return [value].flat().some((one) => one === stored) ? true : null;
}
