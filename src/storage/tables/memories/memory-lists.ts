import type { StoredMemory } from '../../../core/ports/index.ts';
import { fromJson, fromJsonList, listsFromJson } from '../../sql/json.ts';
import type { memoryColumns, StoredMemoryRow } from './memory-row.ts';

type MemoryColumn = (typeof memoryColumns)[number];
type MemoryLists = { [N in MemoryColumn]: StoredMemoryRow[N][] };

/** Memories that were read as one row with a list for each column, without rows in between. */
export function memoriesOfLists([lists]: readonly Record<MemoryColumn, string>[]): StoredMemory[] {
  if (lists === undefined) return [];
  const columns = listsFromJson<MemoryLists>(lists);
  return columns.id.map((_, at) => toMemoryAt(columns, at));
}

function toMemoryAt(columns: MemoryLists, at: number): StoredMemory {
  return {
    position: valueAt(columns.position, at),
    id: valueAt(columns.id, at),
    user_id: valueAt(columns.user_id, at),
    agent_id: valueAt(columns.agent_id, at),
    app_id: valueAt(columns.app_id, at),
    run_id: valueAt(columns.run_id, at),
    memory: valueAt(columns.memory, at),
    hash: valueAt(columns.hash, at),
    metadata: fromJson<Record<string, unknown>>(valueAt(columns.metadata, at)),
    categories: fromJson<string[]>(valueAt(columns.categories, at)),
    immutable: valueAt(columns.immutable, at) === 1,
    expiration_date: valueAt(columns.expiration_date, at),
    created_at: valueAt(columns.created_at, at),
    updated_at: valueAt(columns.updated_at, at),
    replaced_by: valueAt(columns.replaced_by, at),
    role: valueAt(columns.role, at),
    speaker: valueAt(columns.speaker, at),
    type: valueAt(columns.type, at),
    slot: valueAt(columns.slot, at),
    occurred_at: valueAt(columns.occurred_at, at),
    occurred_granularity: valueAt(columns.occurred_granularity, at),
    said: valueAt(columns.said, at),
    status: valueAt(columns.status, at),
    source_class: valueAt(columns.source_class, at),
    review_reason: valueAt(columns.review_reason, at),
    supersedes: valueAt(columns.supersedes, at),
    may_replace: fromJsonList(valueAt(columns.may_replace, at)),
    pinned: valueAt(columns.pinned, at) === 1,
    valid_from: valueAt(columns.valid_from, at),
    valid_until: valueAt(columns.valid_until, at),
  };
}

/** Each list holds a value of each memory. */
function valueAt<T>(list: readonly T[], at: number): T {
  return list[at] as T;
}
