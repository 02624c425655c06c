import type { Change } from '../../../contract/schemas/change.ts';
import type { EntityType } from '../../../contract/schemas/entity.ts';
import type {
  Granularity,
  MemoryStatus,
  MemoryType,
  ReviewReason,
  SourceClass,
} from '../../../contract/schemas/memory.ts';
import type { StoredFeedback } from '../../../core/ports/index.ts';
import {
  bigint,
  type Column,
  counter,
  entityIdColumns,
  fixed,
  flag,
  integer,
  jsonText,
  nullable,
  projectKey,
  shortId,
  shortIdWhere,
  text,
  timeColumns,
} from './columns.ts';
import { defineTable, entityIndexes, sparseIndexes } from './table.ts';

const entities = defineTable({
  columns: {
    key: counter(),
    project_key: projectKey(),
    type: fixed<EntityType>(),
    id: text('entity'),
    name: text('entity'),
    metadata: jsonText('entity'),
    total_memories: integer(),
    ...timeColumns(),
    audit_salt: nullable(text('entity')),
  },
  primaryKey: ['project_key', 'key'],
  unique: [{ columns: ['project_key', 'type', 'id'] }],
  indexes: [
    { name: 'entities_by_time', columns: ['project_key', 'created_at', 'key'] },
    { name: 'entities_by_type', columns: ['project_key', 'type', 'created_at', 'key'] },
  ],
  belongsTo: 'project',
  transfer: { key: ['key'] },
  fillFactor: 70,
});

/** Counts the lists of a large project without reading the project. */
const entity_totals = defineTable({
  columns: {
    project_key: projectKey(),
    type: fixed<EntityType>(),
    entities: integer(),
    memories: integer(),
  },
  primaryKey: ['project_key', 'type'],
  belongsTo: 'project',
  transfer: { key: ['type'] },
});

/** The languages of a project's memories. */
const project_languages = defineTable({
  columns: { project_key: projectKey(), language: fixed() },
  primaryKey: ['project_key', 'language'],
  belongsTo: 'project',
  transfer: { key: ['language'] },
});

/** The text and properties of a memory, in each of its versions. */
const versionedColumns = {
  id: fixed(),
  ...entityIdColumns('memory'),
  memory: text('memory'),
  hash: text('memory'),
  metadata: jsonText('memory'),
  categories: jsonText('memory'),
  immutable: flag(),
  expiration_date: nullable(fixed()),
  ...timeColumns(),
  replaced_by: nullable(fixed()),
  role: nullable(text('memory')),
  speaker: nullable(text('memory')),
  terms: text('memory'),
  speaker_terms: text('memory'),
  run_position: nullable(integer()),
  type: nullable(fixed<MemoryType>()),
  slot: nullable(text('memory')),
  occurred_at: nullable(fixed()),
  occurred_granularity: nullable(fixed<Granularity>()),
  said: nullable(text('memory')),
  status: fixed<MemoryStatus>(),
  source_class: fixed<SourceClass>(),
  review_reason: nullable(fixed<ReviewReason>()),
  /** The memory that takes this one's text when it is accepted. */
  supersedes: nullable(fixed()),
  /** A list of ids; null, as in nearly all rows, if it is empty. */
  may_replace: nullable(jsonText('fixed')),
  pinned: flag(),
  valid_from: nullable(fixed()),
  valid_until: nullable(fixed()),
  /** When the store began to hold this version, by its own clock, and the event that made it. */
  recorded_from: fixed(),
  recorded_by: nullable(fixed()),
};

const memories = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    short_id: shortId('id'),
    ...versionedColumns,
  },
  primaryKey: ['project_key', 'position'],
  unique: [{ columns: ['project_key', 'id'] }],
  indexes: [
    {
      name: 'memories_by_time',
      columns: ['project_key', 'created_at'],
      more: { postgres: ['position'] },
    },
    { name: 'memories_by_hash', columns: ['project_key', 'hash'] },
    {
      name: 'memories_hideable',
      columns: ['project_key'],
      where: "replaced_by is not null or expiration_date is not null or status <> 'active'",
    },
    {
      name: 'memories_by_review',
      columns: ['project_key', 'created_at'],
      more: { postgres: ['position'] },
      where: "status <> 'active'",
    },
    {
      name: 'memories_by_expiry',
      columns: ['project_key', 'expiration_date'],
      where: 'expiration_date is not null',
    },
    ...entityIndexes('memories', ['created_at'], ['position']),
    {
      name: 'memories_by_run_position',
      columns: ['project_key', 'run_id', 'run_position'],
      where: 'run_id is not null',
    },
    { name: 'memories_by_short_id', columns: ['project_key', 'short_id'] },
    {
      name: 'memories_by_slot',
      columns: ['project_key', 'user_id', 'slot'],
      where: 'slot is not null',
    },
    {
      name: 'memories_by_occurrence',
      columns: ['project_key', 'occurred_at'],
      where: 'occurred_at is not null',
    },
    {
      name: 'memories_by_user_occurrence',
      columns: ['project_key', 'user_id', 'occurred_at'],
      where: 'occurred_at is not null',
    },
    {
      name: 'memories_by_category',
      columns: ['project_key', 'created_at'],
      // All that a list by category filters by; PostgreSQL has no index on texts of any length.
      more: { sqlite: ['categories', 'user_id', 'replaced_by', 'expiration_date', 'status'] },
      where: "categories <> '[]'",
    },
    ...sparseIndexes('memories_pinned', 'pinned', 'pinned = 1'),
    ...sparseIndexes('memories_instructions', 'type', "type = 'instruction'"),
  ],
  belongsTo: 'project',
  memory: 'id',
  queueRights: 'select',
  transfer: { key: ['position'] },
  isPartitioned: true,
});

/**
 * The versions that were changed or deleted; the current ones are in `memories`. One that a change
 * left with the same text has none of its own: it says what the next one says.
 */
const memory_versions = defineTable({
  columns: {
    key: counter(),
    project_key: projectKey(),
    /** The position that the memory had. */
    position: bigint(),
    ...versionedColumns,
    /** When the store ceased to hold this version, and the event that ended it. */
    recorded_until: fixed(),
    ended_by: nullable(fixed()),
    /** When it ceased to be true, if what came after it superseded it, or a part of it. */
    superseded_at: nullable(fixed()),
    superseded_in_part: { ...flag(), default: 0 },
  },
  primaryKey: ['project_key', 'key'],
  indexes: [
    { name: 'memory_versions_by_memory', columns: ['project_key', 'id'] },
    {
      name: 'memory_versions_by_text',
      columns: ['project_key', 'id'],
      more: { postgres: ['key'] },
      where: "memory <> ''",
    },
    { name: 'memory_versions_by_time', columns: ['project_key', 'recorded_until'] },
    {
      name: 'memory_versions_by_event',
      columns: ['project_key', 'ended_by'],
      where: 'ended_by is not null',
    },
    // With the beginning, so that those of later times are not read.
    ...entityIndexes('memory_versions', ['recorded_until', 'recorded_from']),
  ],
  belongsTo: 'project',
  memory: 'id',
  queueRights: 'select, delete',
  transfer: { key: ['key'] },
});

const history = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    memory_id: fixed(),
    // Only deleted memories are indexed, so that other changes do not pay for it.
    short_id: shortIdWhere("event = 'DELETE'", 'memory_id'),
    ...entityIdColumns('memory'),
    event: fixed<Change>(),
    input: jsonText('emptied'),
    old_memory: nullable(text('memory')),
    new_memory: nullable(text('memory')),
    metadata: nullable(jsonText('memory')),
    categories: jsonText('memory'),
    ...timeColumns(),
  },
  primaryKey: ['project_key', 'position'],
  indexes: [
    { name: 'history_by_memory', columns: ['project_key', 'memory_id'] },
    {
      name: 'history_by_short_id',
      columns: ['project_key', 'short_id'],
      where: 'short_id is not null',
    },
    ...entityIndexes('history', ['position']),
  ],
  belongsTo: 'project',
  memory: 'memory_id',
  transfer: { key: ['position'] },
  isPartitioned: true,
});

const feedback = defineTable({
  columns: {
    project_key: projectKey(),
    memory_id: fixed(),
    id: fixed(),
    feedback: nullable(text('memory')) as Column<StoredFeedback['feedback']>,
    feedback_reason: nullable(text('memory')),
    created_at: fixed(),
  },
  primaryKey: ['project_key', 'memory_id'],
  belongsTo: 'project',
  memory: 'memory_id',
  transfer: { key: ['memory_id'] },
});

/** `ordinal` counts the relations of a memory, from 0. */
const relations = defineTable({
  columns: {
    project_key: projectKey(),
    memory_id: fixed(),
    ordinal: integer(),
    source: text('memory'),
    source_type: text('memory'),
    relationship: text('memory'),
    target: text('memory'),
    target_type: text('memory'),
  },
  primaryKey: ['project_key', 'memory_id', 'ordinal'],
  belongsTo: 'project',
  memory: 'memory_id',
  transfer: { key: ['memory_id', 'ordinal'] },
});

export const memoryTables = {
  entities,
  entity_totals,
  project_languages,
  memories,
  memory_versions,
  history,
  feedback,
  relations,
};
