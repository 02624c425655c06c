import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import type { Output, Parsed } from '../../contract.ts';
import { createTurns } from '../../turns.ts';
import { memoryChangeEvent, recordEvent, sharedOwners } from '../history/record.ts';
import type { Deps, Instant, ProjectCall, StoredMemory, StoredProject } from '../ports/index.ts';
import { flagInjection, keepInjectionFlag } from '../safety/prompt-injection.ts';
import { type MemoryStanding, standingOf } from '../safety/trust.ts';
import { type OutboxUnitOfWork, withOutbox } from '../webhooks/outbox.ts';
import { expiredRemark, lastDayOf } from './add-context.ts';
import { memoryNotFound } from './not-found.ts';
import { resolveConflicts } from './resolve-conflicts.ts';
import { type NewText, newTextPatch, rewriteMemory } from './rewrite.ts';
import { toMemory } from './shape.ts';
import { updateValidity, type ValidityUpdates } from './validity.ts';

type MemoryUpdates = ValidityUpdates & {
  metadata?: Record<string, unknown> | undefined;
  categories?: string[] | undefined;
  timestamp?: number | undefined;
  expiration_date?: string | null | undefined;
  pinned?: boolean | undefined;
};

export async function updateOneMemory(
  deps: Deps,
  sent: Parsed<'update_memory'>,
  { project }: ProjectCall,
): Promise<Output<'update_memory'>> {
  const input = { ...sent, expiration_date: lastDayOf(sent.expiration_date, deps) };
  const edited = await editedText(deps, input);
  return withOutbox(deps, project, async (unit) => {
    const memory = await unit.tables.memories.find(project, input.memory_id);
    if (memory === null) throw memoryNotFound();
    if (memory.immutable) throw immutableError(memory);
    if (changesNothing(memory, input)) {
      const may_replace = await stillMayReplace(deps, unit, memory);
      const message = 'Nothing changed.';
      return { ...toMemory(memory, may_replace), text: memory.memory, message };
    }
    const same = await findSame(unit, memory, edited);
    const updated = await applyUpdate(deps, unit, { memory, updates: input, edited, project });
    await recordEvent(deps, unit, memoryChangeEvent('UPDATE', updated, { ...input }));
    const remark = input.expiration_date ? expiredRemark(updated, deps) : null;
    const remarks = [
      ...(same === null ? [] : [`It says the same as memory ${same.id} now.`]),
      ...(remark === null ? [] : [`Its ${remark}.`]),
    ];
    const answer = { ...toMemory(updated, updated.may_replace), text: updated.memory };
    return remarks.length === 0 ? answer : { ...answer, message: remarks.join(' ') };
  });
}

/** Another memory of the same owner that says already what this one is to say. */
async function findSame(
  { tables, project }: OutboxUnitOfWork,
  memory: StoredMemory,
  { hash }: Partial<NewText>,
) {
  if (hash === undefined || hash === memory.hash) return null;
  return tables.memories.findDuplicate(project, memory, hash);
}

/**
 * True if a memory is what the update says already. Then nothing is written: an undo is to take
 * back the last change that was one.
 */
function changesNothing(memory: StoredMemory, updates: MemoryUpdates): boolean {
  const { text, metadata, categories, timestamp } = updates;
  const plain = ['expiration_date', 'pinned', 'valid_from', 'valid_until'] as const;
  return (
    (text ?? memory.memory) === memory.memory &&
    (metadata === undefined ||
      isDeepStrictEqual(keepInjectionFlag(memory.metadata, metadata), memory.metadata)) &&
    (categories === undefined || isDeepStrictEqual(categories, memory.categories)) &&
    (timestamp === undefined || instantOf(timestamp) === memory.created_at) &&
    plain.every((field) => updates[field] === undefined || updates[field] === memory[field])
  );
}

function instantOf(timestamp: number): Instant {
  return new Date(timestamp * 1000).toISOString();
}

/** All or nothing: with one unknown or immutable memory, nothing changes. */
export async function batchUpdateMemories(
  deps: Deps,
  { memories: updates }: Parsed<'batch_update_memories'>,
  { project }: ProjectCall,
): Promise<Output<'batch_update_memories'>> {
  const edits: Partial<NewText>[] = [];
  const yieldTurn = createTurns();
  for (const item of updates) {
    await yieldTurn();
    edits.push(await editedText(deps, item));
  }
  const changed = new Set<string>();
  await withOutbox(deps, project, async (unit) => {
    changed.clear();
    const ids = [...new Set(updates.map(({ memory_id }) => memory_id))];
    const memories = await unit.tables.memories.findMany(project, ids);
    const current = new Map(memories.map((memory) => [memory.id, memory]));
    for (const [index, item] of updates.entries()) {
      await yieldTurn();
      const memory = current.get(item.memory_id);
      if (memory === undefined) throw memoryNotFound(item.memory_id);
      if (memory.immutable) throw immutableError(memory);
      if (changesNothing(memory, item)) continue;
      changed.add(memory.id);
      const edited = edits[index] ?? {};
      const change = { memory, updates: item, edited, project };
      const updated = await applyUpdate(deps, unit, change);
      current.set(item.memory_id, updated);
    }
    // Ids only: the memories may belong to several entities, and deleting one must erase its texts.
    const owners = sharedOwners(memories);
    const payload = { memory_ids: [...changed] };
    const metadata = { updated: changed.size };
    if (changed.size > 0)
      await recordEvent(deps, unit, { event_type: 'UPDATE', payload, metadata, ...owners });
  });
  return {
    message: `Updated ${formatCount(changed.size, 'memory', 'memories')}${describeSame(updates, changed)}`,
  };
}

function describeSame(
  updates: readonly { memory_id: string }[],
  changed: ReadonlySet<string>,
): string {
  const same = new Set(updates.map(({ memory_id }) => memory_id)).size - changed.size;
  return same === 0 ? '' : `; ${formatCount(same, 'memory', 'memories')} said so already`;
}

async function editedText(deps: Deps, { text }: MemoryUpdates): Promise<Partial<NewText>> {
  return text === undefined ? {} : newTextPatch(deps, text);
}

type UpdateToApply = {
  memory: StoredMemory;
  updates: MemoryUpdates;
  edited: Partial<NewText>;
  project: Pick<StoredProject, 'settings'>;
};

async function applyUpdate(
  deps: Deps,
  unit: OutboxUnitOfWork,
  { memory, updates, edited, project }: UpdateToApply,
): Promise<StoredMemory> {
  const { metadata, categories, timestamp, expiration_date, pinned } = updates;
  // The same text is not read again: its dates are those of when it was said.
  const text = updates.text === memory.memory ? undefined : updates.text;
  const { patch: validity, superseded_at } = updateValidity(memory, updates);
  const patch = {
    may_replace: await stillMayReplace(deps, unit, memory),
    ...(text !== undefined && edited),
    ...(text !== undefined && memory.status === 'active' && editedStanding(deps, text, project)),
    ...((text ?? metadata) !== undefined && {
      metadata: updatedMetadata(deps, memory, { text, metadata }),
    }),
    ...(categories !== undefined && { categories }),
    ...(timestamp !== undefined && { created_at: instantOf(timestamp) }),
    ...(expiration_date !== undefined && { expiration_date }),
    ...(pinned !== undefined && { pinned }),
    ...validity,
    updated_at: deps.clock.now(),
  };
  return rewriteMemory(deps, unit, { memory, patch, superseded_at });
}

/** With a later `updated_at`, it would name again what was changed since it was written. */
async function stillMayReplace(
  { clock, timezone }: Pick<Deps, 'clock' | 'timezone'>,
  { tables: { memories }, project }: OutboxUnitOfWork,
  memory: StoredMemory,
): Promise<string[]> {
  const reader = { memories, now: clock.now(), timezone };
  const conflicts = await resolveConflicts(reader, project, [memory]);
  return [...(conflicts.get(memory.id) ?? [])];
}

/** The flag follows the text: new metadata alone can't take it away. */
function updatedMetadata(
  deps: Deps,
  memory: StoredMemory,
  { text, metadata = memory.metadata }: MemoryUpdates,
): Record<string, unknown> {
  return text === undefined
    ? keepInjectionFlag(memory.metadata, metadata)
    : flagInjection(deps, text, metadata);
}

/** What a caller writes is trusted as a source; as an order to an agent it may have to wait. */
function editedStanding(
  deps: Deps,
  text: string,
  { settings }: Pick<StoredProject, 'settings'>,
): MemoryStanding {
  return standingOf({ text, source_class: 'user' }, settings, deps);
}

function immutableError({ id }: StoredMemory): ApiError {
  return new ApiError('conflict', `memory ${id} is immutable: it can be deleted, not updated`);
}
