import type { Deps, StoredMemory } from '../ports.ts';
import { announce, type ChangeUnit } from '../webhooks/announce.ts';
import { historyEntry, type Unit } from './record.ts';

/** Deletes memories; their history ends with DELETE and loses its sources; webhooks are told. */
export async function remove(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: ChangeUnit,
  memories: readonly StoredMemory[],
): Promise<void> {
  const { tables, project } = unit;
  const ids = memories.map(({ id }) => id);
  const entries = memories.map((memory) =>
    historyEntry(deps, memory, { event: 'DELETE', old_memory: memory.memory }),
  );
  await tables.history.insert(project, entries);
  await tables.history.deleteSources(project, ids);
  await erase(unit, ids);
  const announcements = memories.map((memory) => ({ event: 'DELETE' as const, memory }));
  await announce(deps, unit, announcements);
}

/** Removes memories with what belongs to them; leaves no trace of its own in the history. */
export async function erase({ tables, project }: Unit, ids: readonly string[]): Promise<void> {
  await tables.feedback.deleteByMemories(project, ids);
  await tables.relations.deleteByMemories(project, ids);
  await tables.memories.delete(project, ids);
}
