import type { Change, WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { EventType } from '../../contract/schemas/event.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type {
  Deps,
  ProjectRef,
  RecordedChange,
  StoredEvent,
  StoredHistoryEntry,
  StoredMemory,
  Tables,
} from '../ports/index.ts';
import { actingKey } from './acting-key.ts';

/** A transaction in one project. */
export type UnitOfWork = { tables: Tables; project: ProjectRef };

type HistoryEntryDetails = { event: Change; input?: Message[]; old_memory: string | null };

/** The history entry of a change; `memory` is the state after it, or before it for a DELETE. */
export function historyEntry(
  deps: Pick<Deps, 'clock' | 'ids'>,
  memory: StrictOmit<StoredMemory, 'position'>,
  { event, input = [], old_memory }: HistoryEntryDetails,
): StoredHistoryEntry {
  const now = deps.clock.now();
  return {
    id: deps.ids.next(),
    memory_id: memory.id,
    event,
    input,
    old_memory,
    new_memory: event === 'DELETE' ? null : memory.memory,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    app_id: memory.app_id,
    run_id: memory.run_id,
    metadata: memory.metadata,
    categories: memory.categories,
    created_at: event === 'ADD' ? memory.created_at : now,
    updated_at: now,
  };
}

type NewEvent = Pick<StoredEvent, 'payload'> & { event_type: EventType } & Partial<StoredEvent>;

/** Records a completed operation; returns the event's id. */
export async function recordEvent(
  deps: Pick<Deps, 'clock' | 'ids'>,
  { tables, project, event_id }: UnitOfWork & { event_id?: string },
  event: NewEvent,
): Promise<string> {
  const record = completedEvent(deps, event_id === undefined ? event : { ...event, id: event_id });
  await tables.events.insert(project, record);
  return record.id;
}

/** The record of an operation that began at `since` and is complete now. */
export function completedEvent(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  event: NewEvent,
  since = clock.now(),
): StoredEvent {
  const now = clock.now();
  return {
    ...emptyEvent,
    status: 'SUCCEEDED',
    created_at: since,
    updated_at: now,
    started_at: since,
    completed_at: now,
    latency: Date.parse(now) - Date.parse(since),
    ...event,
    id: event.id ?? ids.next(),
    key_id: actingKey(),
  };
}

/** The change that a transaction makes now. */
export function changeOf(
  { clock }: Pick<Deps, 'clock'>,
  { event_id }: { event_id: string },
): RecordedChange {
  return { at: clock.now(), event_id };
}

/** The event of one change of one memory, with the change as its result. */
export function memoryChangeEvent(
  event: 'UPDATE' | 'DELETE',
  memory: StoredMemory,
  payload: Record<string, unknown>,
): NewEvent {
  const { user_id, agent_id, app_id, run_id } = memory;
  const results = [changeResult(event, memory)];
  return { event_type: event, payload, results, user_id, agent_id, app_id, run_id };
}

/** The ids that all of these memories carry, null where they differ: those of their event. */
export function sharedOwners(memories: readonly EntityIds[]): EntityIds {
  const [first, ...others] = memories;
  const shared = (field: keyof EntityIds) =>
    others.every((memory) => memory[field] === first?.[field]) ? (first?.[field] ?? null) : null;
  return {
    user_id: shared('user_id'),
    agent_id: shared('agent_id'),
    app_id: shared('app_id'),
    run_id: shared('run_id'),
  };
}

/** The result of a change of one memory. */
export function changeResult(
  event: Change,
  { id, memory, user_id }: StrictOmit<StoredMemory, 'position'>,
  reason: string | null = null,
): WriteResult {
  return { id, event, memory, data: { memory }, user_id, ...(reason !== null && { reason }) };
}

const emptyEvent = {
  metadata: null,
  results: [],
  error: null,
  graph_status: null,
  user_id: null,
  agent_id: null,
  app_id: null,
  run_id: null,
};
