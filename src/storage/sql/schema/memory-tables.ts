import type { Change } from '../../../contract/schemas/change.ts';
import type { EntityType } from '../../../contract/schemas/entity.ts';
import type { Granularity, MemoryType } from '../../../contract/schemas/memory.ts';
import type { StoredFeedback } from '../../../core/ports/index.ts';
import {
  type Column,
  counter,
  entityIdColumns,
  flag,
  generatedText,
  integer,
  jsonText,
  nullable,
  projectKey,
  text,
  timeColumns,
} from './columns.ts';
import { defineTable, entityIndexes } from './table.ts';

const entities = defineTable({
  columns: {
    key: counter(),
    project_key: projectKey(),
    type: text<EntityType>(),
    id: text(),
    name: text(),
    metadata: jsonText(),
    total_memories: integer(),
    ...timeColumns(),
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

/** Lets lists of a large project be counted without reading all of its rows. */
const entity_totals = defineTable({
  columns: {
    project_key: projectKey(),
    type: text<EntityType>(),
    entities: integer(),
    memories: integer(),
  },
  primaryKey: ['project_key', 'type'],
  belongsTo: 'project',
  transfer: { key: ['type'] },
});

/** The languages of a project's memories. */
const project_languages = defineTable({
  columns: { project_key: projectKey(), language: text() },
  primaryKey: ['project_key', 'language'],
  belongsTo: 'project',
  transfer: { key: ['language'] },
});

const memories = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: text(),
    // The last digits of an id: a UUID has 36 characters. A column, because under row policies
    // PostgreSQL uses no index on an expression that is not leakproof.
    short_id: generatedText('substr(id, 29)'),
    ...entityIdColumns(),
    memory: text(),
    hash: text(),
    metadata: jsonText(),
    categories: jsonText(),
    immutable: flag(),
    expiration_date: nullable(text()),
    ...timeColumns(),
    replaced_by: nullable(text()),
    role: nullable(text()),
    speaker: nullable(text()),
    terms: text(),
    speaker_terms: text(),
    run_position: nullable(integer()),
    type: nullable(text<MemoryType>()),
    slot: nullable(text()),
    occurred_at: nullable(text()),
    occurred_granularity: nullable(text<Granularity>()),
    said: nullable(text()),
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
      where: 'replaced_by is not null or expiration_date is not null',
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
      // All that a list by category filters on; PostgreSQL cannot index text of any length.
      more: { sqlite: ['categories', 'user_id', 'replaced_by', 'expiration_date'] },
      where: "categories <> '[]'",
    },
  ],
  belongsTo: 'project',
  queueRights: 'select',
  transfer: { key: ['position'] },
  isPartitioned: true,
});

const history = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: text(),
    memory_id: text(),
    ...entityIdColumns(),
    event: text<Change>(),
    input: jsonText(),
    old_memory: nullable(text()),
    new_memory: nullable(text()),
    metadata: nullable(jsonText()),
    categories: jsonText(),
    ...timeColumns(),
  },
  primaryKey: ['project_key', 'position'],
  indexes: [
    { name: 'history_by_memory', columns: ['project_key', 'memory_id'] },
    ...entityIndexes('history', ['position']),
  ],
  belongsTo: 'project',
  transfer: { key: ['position'] },
  isPartitioned: true,
});

const feedback = defineTable({
  columns: {
    project_key: projectKey(),
    memory_id: text(),
    id: text(),
    feedback: nullable(text()) as Column<StoredFeedback['feedback']>,
    feedback_reason: nullable(text()),
    created_at: text(),
  },
  primaryKey: ['project_key', 'memory_id'],
  belongsTo: 'project',
  transfer: { key: ['memory_id'] },
});

/** `ordinal` numbers the relations of a memory, from 0. */
const relations = defineTable({
  columns: {
    project_key: projectKey(),
    memory_id: text(),
    ordinal: integer(),
    source: text(),
    source_type: text(),
    relationship: text(),
    target: text(),
    target_type: text(),
  },
  primaryKey: ['project_key', 'memory_id', 'ordinal'],
  belongsTo: 'project',
  transfer: { key: ['memory_id', 'ordinal'] },
});

export const memoryTables = {
  entities,
  entity_totals,
  project_languages,
  memories,
  history,
  feedback,
  relations,
};
