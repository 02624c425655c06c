import { createTurns } from '../../turns.ts';
import { replaceRelations } from '../graph/store-relations.ts';
import { changeOf, historyEntry } from '../history/record.ts';
import { contentHash } from '../memory/content-hash.ts';
import { fewAtOnce } from '../memory/few-at-once.ts';
import { withIndexTerms } from '../memory/index-terms.ts';
import { removeMemories } from '../memory/remove.ts';
import { rewriteMemory } from '../memory/rewrite.ts';
import type { Deps, MemoryPatch, StoredMemory } from '../ports/index.ts';
import { enqueueDeliveries, type OutboxUnitOfWork } from '../webhooks/outbox.ts';
import type { Restoration } from './plan-undo-changes.ts';

type RestoreDeps = Pick<Deps, 'clock' | 'ids'>;

/** Makes memories what they were, as new versions with history and webhooks like other changes. */
export async function restoreMemories(
  deps: RestoreDeps,
  unit: OutboxUnitOfWork,
  restorations: readonly Restoration[],
): Promise<void> {
  const yieldTurn = createTurns();
  const obsoleteMemories = restorations.flatMap(({ from, to }) =>
    to === null && from !== null ? [from] : [],
  );
  // Removals come first, so that their slots are free.
  await removeMemories(deps, unit, obsoleteMemories);
  for (const { from, to } of restorations) {
    await yieldTurn();
    if (from !== null && to !== null) await changeBack(deps, unit, { from, to });
  }
  const lost = restorations.flatMap(({ from, to }) => (from === null && to !== null ? [to] : []));
  for (const few of fewAtOnce(lost)) {
    await yieldTurn();
    await bringBack(deps, unit, few);
  }
  for (const { from, to, last } of restorations) {
    if (from !== null || to === null || !isReworded(last, to)) continue;
    await yieldTurn();
    await replaceRelations(unit, to, { always: false });
  }
}

async function changeBack(
  deps: RestoreDeps,
  unit: OutboxUnitOfWork,
  { from, to }: { from: StoredMemory; to: StoredMemory },
): Promise<void> {
  const patch: MemoryPatch = {
    hash: contentHash(to.memory),
    metadata: to.metadata,
    categories: to.categories,
    expiration_date: to.expiration_date,
    created_at: to.created_at,
    replaced_by: to.replaced_by,
    role: to.role,
    speaker: to.speaker,
    type: to.type,
    slot: await freeSlot(unit, to),
    occurred_at: to.occurred_at,
    occurred_granularity: to.occurred_granularity,
    said: to.said,
    status: to.status,
    source_class: to.source_class,
    review_reason: to.review_reason,
    supersedes: to.supersedes,
    may_replace: to.may_replace,
    pinned: to.pinned,
    valid_from: to.valid_from,
    valid_until: to.valid_until,
    updated_at: deps.clock.now(),
  };
  await rewriteMemory(deps, unit, {
    memory: from,
    patch: isReworded(from, to) ? { ...patch, memory: to.memory } : patch,
  });
}

function isReworded(one: StoredMemory, other: StoredMemory): boolean {
  return one.memory !== other.memory || one.said !== other.said;
}

/** The slot of a memory, unless another one has filled it since. */
async function freeSlot(
  { tables, project }: OutboxUnitOfWork,
  memory: StoredMemory,
): Promise<string | null> {
  if (memory.slot === null) return null;
  const holder = await tables.memories.findBySlot(project, memory, memory.slot);
  return holder === null || holder.id === memory.id ? memory.slot : null;
}

/**
 * Brings memories back with the feedback and the relations that they had when they were deleted.
 */
async function bringBack(
  deps: RestoreDeps,
  unit: OutboxUnitOfWork,
  lost: readonly StoredMemory[],
): Promise<void> {
  const { tables, project } = unit;
  const change = changeOf(deps, unit);
  const restored: StoredMemory[] = [];
  for (const memory of lost) {
    const slot = await freeSlot(unit, memory);
    const hash = contentHash(memory.memory);
    restored.push({ ...memory, slot, hash, updated_at: change.at });
  }
  const memories = await withIndexTerms(unit, restored);
  await tables.memories.insert(project, memories, change);
  const entries = memories.map((memory) => {
    const entry = historyEntry(deps, memory, { event: 'ADD', old_memory: null });
    return { ...entry, created_at: change.at };
  });
  await tables.history.insert(project, entries);
  const announcements = memories.map((memory) => ({ event: 'ADD' as const, memory }));
  await enqueueDeliveries(deps, unit, announcements);
}
