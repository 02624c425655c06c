import { ApiError } from '../../contract/errors.ts';
import { formatCount } from '../../contract/format-count.ts';
import { matchesEverything } from '../../contract/schemas/filter.ts';
import type { Output, Parsed } from '../../contract.ts';
import {
  memoryChangeEvent,
  recordEvent,
  sharedOwners,
  type UnitOfWork,
} from '../history/record.ts';
import type { Deps, ProjectCall, ProjectRef, Selection, StoredMemory } from '../ports/index.ts';
import { endQueuedAdds } from '../queue/end-queued-adds.ts';
import { redactQuestion } from '../safety/redact-input.ts';
import { withOutbox } from '../webhooks/outbox.ts';
import { memoryNotFound } from './not-found.ts';
import { removeMemories } from './remove.ts';
import { entityIdsOfFilter, selectAllMatching } from './selection.ts';

export async function deleteOneMemory(
  deps: Deps,
  { memory_id }: Parsed<'delete_memory'>,
  { project }: ProjectCall,
): Promise<Output<'delete_memory'>> {
  await withOutbox(deps, project, async (unit) => {
    const memory = await unit.tables.memories.find(project, memory_id);
    if (memory === null) throw memoryNotFound();
    await removeMemories(deps, unit, [memory]);
    await recordEvent(deps, unit, memoryChangeEvent('DELETE', memory, { memory_id }));
  });
  return { message: 'Memory deleted successfully', deleted: 1 };
}

/** All or nothing: with one unknown id, nothing is deleted. */
export async function batchDeleteMemories(
  deps: Deps,
  { memory_ids }: Parsed<'batch_delete_memories'>,
  { project }: ProjectCall,
): Promise<Output<'batch_delete_memories'>> {
  const ids = [...new Set(memory_ids)];
  const event_id = await withOutbox(deps, project, async (unit) => {
    const memories = await unit.tables.memories.findMany(project, ids);
    const existing = new Set(memories.map(({ id }) => id));
    const missing = ids.find((id) => !existing.has(id));
    if (missing !== undefined) throw memoryNotFound(missing);
    await removeMemories(deps, unit, memories);
    const payload = { memory_ids: ids };
    const metadata = { deleted: ids.length };
    return recordEvent(deps, unit, {
      event_type: 'DELETE',
      payload,
      metadata,
      ...sharedOwners(memories),
    });
  });
  return {
    message: `Deleted ${formatCount(ids.length, 'memory', 'memories')}`,
    deleted: ids.length,
    event_id,
  };
}

export async function deleteAllMatching(
  deps: Deps,
  input: Parsed<'delete_all_memories'>,
  { project }: ProjectCall,
): Promise<Output<'delete_all_memories'>> {
  const selection = selectAllMatching(input, deps);
  if (matchesEverything(selection.filter)) {
    const problem =
      'at least one of user_id, agent_id, app_id, run_id, metadata, filters is required';
    throw new ApiError('invalid', problem, { fields: { filters: [problem] } });
  }
  const ended: string[] = [];
  const answer = await withOutbox(deps, project, async (unit) => {
    ended.push(...(await endQueuedAdds(deps, unit, { filter: selection.filter, by: 'deleted' })));
    const deleted = await deleteInChunks(unit, selection, (chunk) =>
      removeMemories(deps, unit, chunk),
    );
    const event_id = await recordEvent(deps, unit, {
      event_type: 'DELETE_ALL',
      payload: redactQuestion(input, deps.secrets),
      metadata: { deleted },
      ...entityIdsOfFilter(selection.filter),
    });
    return { message: `Deleted ${formatCount(deleted, 'memory', 'memories')}`, deleted, event_id };
  });
  for (const event_id of ended) deps.completions.complete(event_id);
  return answer;
}

/** Deletes up to `limit` memories that expired before a date; returns how many. */
export function deleteExpired(
  deps: Deps,
  project: ProjectRef,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  return withOutbox(deps, project, async (unit) => {
    const memories = await unit.tables.memories.listExpired(project, before, limit);
    if (memories.length > 0) await removeMemories(deps, unit, memories);
    return memories.length;
  });
}

/** Deletes the selection in chunks, which bounds memory use. */
export async function deleteInChunks(
  { tables, project }: UnitOfWork,
  selection: Selection,
  removeChunk: (chunk: StoredMemory[]) => Promise<void>,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const chunk = await tables.memories.listOldest(project, selection, chunkSize);
    if (chunk.length === 0) return deleted;
    await removeChunk(chunk);
    deleted += chunk.length;
  }
}

const chunkSize = 1000;
