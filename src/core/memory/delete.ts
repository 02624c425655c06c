import { ApiError } from '../../contract/errors.ts';
import type { Output, Parsed } from '../../contract/index.ts';
import { matchesEverything } from '../../contract/schemas/filter.ts';
import type { Call, Deps, Project, Selection, StoredMemory } from '../ports.ts';
import { changing } from '../webhooks/announce.ts';
import { memoryNotFound } from './not-found.ts';
import { changeEvent, recordEvent, type Unit } from './record.ts';
import { remove } from './remove.ts';
import { entityIdsIn, everythingMatching } from './selection.ts';

export async function deleteOne(
  deps: Deps,
  { memory_id }: Parsed<'delete_memory'>,
  { project }: Call,
): Promise<Output<'delete_memory'>> {
  await changing(deps, project, async (unit) => {
    const memory = await unit.tables.memories.find(project, memory_id);
    if (memory === null) throw memoryNotFound();
    await remove(deps, unit, [memory]);
    await recordEvent(deps, unit, changeEvent('DELETE', memory, { memory_id }));
  });
  return { message: 'Memory deleted successfully', deleted: 1 };
}

/** All or nothing: one unknown id and nothing is deleted. */
export async function batchDelete(
  deps: Deps,
  { memory_ids }: Parsed<'batch_delete_memories'>,
  { project }: Call,
): Promise<Output<'batch_delete_memories'>> {
  const wanted = [...new Set(memory_ids)];
  await changing(deps, project, async (unit) => {
    const found = await unit.tables.memories.findMany(project, wanted);
    const existing = new Set(found.map(({ id }) => id));
    const missing = wanted.find((id) => !existing.has(id));
    if (missing !== undefined) throw memoryNotFound(missing);
    await remove(deps, unit, found);
    const payload = { memory_ids: wanted };
    const metadata = { deleted: wanted.length };
    await recordEvent(deps, unit, { event_type: 'DELETE', payload, metadata });
  });
  return { message: `Successfully deleted ${wanted.length} memories`, deleted: wanted.length };
}

export async function deleteMatching(
  deps: Deps,
  input: Parsed<'delete_all_memories'>,
  { project }: Call,
): Promise<Output<'delete_all_memories'>> {
  const selection = everythingMatching(input);
  if (matchesEverything(selection.filter)) {
    const problem =
      'at least one of user_id, agent_id, app_id, run_id, metadata, filters is required';
    throw new ApiError('invalid', problem, { fields: { filters: [problem] } });
  }
  return changing(deps, project, async (unit) => {
    const deleted = await deleteInChunks(unit, selection, (chunk) => remove(deps, unit, chunk));
    const event_id = await recordEvent(deps, unit, {
      event_type: 'DELETE_ALL',
      payload: { ...input },
      metadata: { deleted },
      ...entityIdsIn(selection.filter),
    });
    return { message: `Successfully deleted ${deleted} memories`, deleted, event_id };
  });
}

/** Deletes up to `limit` memories that expired before a date; answers how many. */
export function deleteExpired(
  deps: Deps,
  project: Project,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  return changing(deps, project, async (unit) => {
    const memories = await unit.tables.memories.takeExpired(project, before, limit);
    if (memories.length > 0) await remove(deps, unit, memories);
    return memories.length;
  });
}

/** Takes the selection away piece by piece, so that its size does not bound memory. */
export async function deleteInChunks(
  { tables, project }: Unit,
  selection: Selection,
  removeChunk: (chunk: StoredMemory[]) => Promise<void>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const chunk = await tables.memories.take(project, selection, chunkSize);
    if (chunk.length === 0) return deleted;
    await removeChunk(chunk);
    deleted += chunk.length;
  }
}

const chunkSize = 1000;
