import { isDeepStrictEqual } from 'node:util';
import type { ToldChange } from '../../contract/schemas/change.ts';
import type { ProjectRef, StoredMemory, Tables } from '../ports/index.ts';

/** The changes of a memory, each with the other fields it set, and whether it undid one. */
export async function readHistory(
  { history, versions, events }: Tables,
  project: ProjectRef,
  memory_id: string,
): Promise<ToldChange[]> {
  const entries = await history.list(project, memory_id);
  if (entries.length < 2) return entries; // nothing was changed, nor undone
  const held = await versions.listVersions(project, [memory_id]);
  const writes = entries.filter(({ event }) => event !== 'DELETE').length;
  // Old versions may be gone; more than there were changes come from elsewhere.
  let at = writes < held.length ? Number.NEGATIVE_INFINITY : held.length - writes - 1;
  const changes = entries.map((entry) => {
    if (entry.event === 'DELETE') return { entry, event_id: held[at]?.ended_by ?? null };
    at += 1;
    const version = held[at];
    if (version?.memory.memory !== entry.new_memory) return { entry, event_id: null };
    const before = entry.event === 'UPDATE' ? held[at - 1] : undefined;
    return {
      entry,
      event_id: version?.recorded_by ?? null,
      changed: before && version && changedFields(before.memory, version.memory),
    };
  });
  const ids = changes.flatMap(({ event_id }) => event_id ?? []);
  const undos = new Set(await events.listUndos(project, [...new Set(ids)]));
  return changes.map(({ entry, event_id, changed }) => ({
    ...entry,
    ...(changed !== undefined && { changed }),
    ...(event_id !== null && undos.has(event_id) && { undo: true }),
  }));
}

/** The fields beside the text that changed, as they are after it; undefined if none did. */
export function changedFields(
  before: StoredMemory,
  after: StoredMemory,
): Record<string, unknown> | undefined {
  const changed = toldFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, after[field]]));
}

/** The fields that callers set and see. */
const toldFields = [
  'pinned',
  'expiration_date',
  'valid_from',
  'valid_until',
  'created_at',
  'status',
  'metadata',
  'categories',
] satisfies (keyof StoredMemory)[];
