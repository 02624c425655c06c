import type { Insertable, Selectable, Updateable } from 'kysely';
import type {
  MemoryPatch,
  NewMemory,
  ProjectRef,
  RecordedChange,
  StoredMemory,
} from '../../../core/ports/index.ts';
import { fromJson, fromJsonList, toJson, toJsonList } from '../../sql/json.ts';
import { columnNames, insertedColumnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';
import type { MemoryRow } from '../../sql/schema.ts';

/** The columns of an insert. */
export const insertedMemoryColumns = insertedColumnNames(tables.memories);

/** A value for each of them except `position`, which the insert adds: it binds them all. */
type InsertedMemoryRow = Required<
  Pick<Insertable<MemoryRow>, Exclude<(typeof insertedMemoryColumns)[number], 'position'>>
>;

/** Index terms, project, place in a run and times of versions, which other columns do not need. */
const innerColumns = [
  'project_key',
  'terms',
  'speaker_terms',
  'run_position',
  'recorded_from',
  'recorded_by',
] as const;

type InnerColumn = (typeof innerColumns)[number];

/** The columns of a memory without its index terms, which only searches need. */
export const memoryColumns = columnNames(tables.memories).filter(
  (name): name is Exclude<typeof name, InnerColumn> => !isInner(name),
);

function isInner(name: string): name is InnerColumn {
  return innerColumns.some((inner) => inner === name);
}

export type StoredMemoryRow = Pick<Selectable<MemoryRow>, (typeof memoryColumns)[number]>;

/** Column by column, because copying whole objects takes several times as long for many rows. */
export function toStoredMemory(row: StoredMemoryRow): StoredMemory {
  return {
    position: row.position,
    id: row.id,
    user_id: row.user_id,
    agent_id: row.agent_id,
    app_id: row.app_id,
    run_id: row.run_id,
    memory: row.memory,
    hash: row.hash,
    metadata: fromJson<Record<string, unknown>>(row.metadata),
    categories: fromJson<string[]>(row.categories),
    immutable: row.immutable === 1,
    expiration_date: row.expiration_date,
    created_at: row.created_at,
    updated_at: row.updated_at,
    replaced_by: row.replaced_by,
    role: row.role,
    speaker: row.speaker,
    type: row.type,
    slot: row.slot,
    occurred_at: row.occurred_at,
    occurred_granularity: row.occurred_granularity,
    said: row.said,
    status: row.status,
    source_class: row.source_class,
    review_reason: row.review_reason,
    supersedes: row.supersedes,
    may_replace: fromJsonList(row.may_replace),
    pinned: row.pinned === 1,
    valid_from: row.valid_from,
    valid_until: row.valid_until,
  };
}

export function toMemoryRow(
  project: ProjectRef,
  memory: NewMemory & { run_position: number | null },
  change: RecordedChange,
): InsertedMemoryRow {
  return {
    project_key: project.key,
    id: memory.id,
    user_id: memory.user_id,
    agent_id: memory.agent_id,
    app_id: memory.app_id,
    run_id: memory.run_id,
    memory: memory.memory,
    hash: memory.hash,
    metadata: toJson(memory.metadata),
    categories: toJson(memory.categories),
    immutable: memory.immutable ? 1 : 0,
    expiration_date: memory.expiration_date,
    created_at: memory.created_at,
    updated_at: memory.updated_at,
    replaced_by: memory.replaced_by,
    role: memory.role,
    speaker: memory.speaker,
    type: memory.type,
    slot: memory.slot,
    occurred_at: memory.occurred_at,
    occurred_granularity: memory.occurred_granularity,
    said: memory.said,
    status: memory.status,
    source_class: memory.source_class,
    review_reason: memory.review_reason,
    supersedes: memory.supersedes,
    may_replace: toJsonList(memory.may_replace),
    pinned: memory.pinned ? 1 : 0,
    valid_from: memory.valid_from,
    valid_until: memory.valid_until,
    terms: memory.terms,
    speaker_terms: memory.speaker_terms,
    run_position: memory.run_position,
    recorded_from: change.at,
    recorded_by: change.event_id,
  };
}

/** Undefined fields of the patch stay as they are: Kysely leaves them out. */
export function toMemoryRowPatch({
  metadata,
  categories,
  pinned,
  may_replace,
  change: _,
  superseded_at: __,
  ...patch
}: MemoryPatch): Updateable<MemoryRow> {
  return {
    ...patch,
    ...(metadata === undefined ? {} : { metadata: toJson(metadata) }),
    ...(categories === undefined ? {} : { categories: toJson(categories) }),
    ...(pinned === undefined ? {} : { pinned: pinned ? 1 : 0 }),
    ...(may_replace === undefined ? {} : { may_replace: toJsonList(may_replace) }),
  };
}
