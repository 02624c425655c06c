import { createTurns } from '../../turns.ts';
import { changeOf, historyEntry } from '../history/record.ts';
import type { Deps, StoredMemory } from '../ports/index.ts';
import { enqueueDeliveries, type OutboxUnitOfWork } from '../webhooks/outbox.ts';
import { fewAtOnce } from './few-at-once.ts';

/**
 * Deletes memories: their history ends with DELETE and loses its sources; webhooks are notified.
 * Feedback and relations stay unseen, so that an undo brings them back; erasing takes them.
 */
export async function removeMemories(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: OutboxUnitOfWork,
  memories: readonly StoredMemory[],
): Promise<void> {
  const yieldTurn = createTurns();
  for (const few of fewAtOnce(memories)) {
    await removeAtOnce(deps, unit, few);
    await yieldTurn();
  }
}

async function removeAtOnce(
  deps: Pick<Deps, 'clock' | 'ids'>,
  unit: OutboxUnitOfWork,
  memories: readonly StoredMemory[],
): Promise<void> {
  const { tables, project } = unit;
  const ids = memories.map(({ id }) => id);
  const entries = memories.map((memory) =>
    historyEntry(deps, memory, { event: 'DELETE', old_memory: memory.memory }),
  );
  await tables.history.insert(project, entries);
  await tables.history.deleteSources(project, ids);
  await tables.memories.delete(project, ids, changeOf(deps, unit));
  const announcements = memories.map((memory) => ({ event: 'DELETE' as const, memory }));
  await enqueueDeliveries(deps, unit, announcements);
}
