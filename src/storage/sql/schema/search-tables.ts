import {
  bigint,
  blob,
  counter,
  currentProject,
  flag,
  integer,
  lease,
  onlyIn,
  project,
  real,
  text,
  tsvector,
  unique,
  vector,
} from './columns.ts';
import { defineTable } from './table.ts';

/** An embedding model. All memories up to the position `done_to` have passed it. */
export const spaces = defineTable({
  columns: {
    key: counter(),
    name: unique(text()),
    dimension: integer(),
    unrelated: real(),
    related: real(),
    trust: real(),
    complete: flag(),
    done_to: bigint(),
    used_at: text(),
    ...lease(),
  },
  primaryKey: ['key'],
  belongsTo: 'store',
  transfer: { key: ['key'], needsVectors: true },
});

export const vectors_wanted = defineTable({
  columns: { space_key: { ...bigint(), references: 'spaces (key)' }, position: bigint() },
  primaryKey: ['space_key', 'position'],
  belongsTo: 'store',
  transfer: { key: ['space_key', 'position'], needsVectors: true },
});

/** On PostgreSQL it exists where pgvector can be had. */
export const vectors = defineTable({
  columns: {
    key: onlyIn('sqlite', counter()),
    position: bigint(),
    project_key: project(),
    space_key: bigint(),
    vector: vector(),
  },
  primaryKey: ['project_key', 'position', 'space_key'],
  unique: [{ columns: ['position', 'space_key'], engine: 'sqlite' }],
  indexes: [{ name: 'vectors_by_space', columns: ['space_key', 'project_key'], engine: 'sqlite' }],
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position', 'space_key'], needsVectors: true },
  isPartitioned: true,
});

/** `dead` counts the vectors that are gone since; `data` is what `encodeSegment` makes. */
export const vector_segments = defineTable({
  columns: {
    key: counter(),
    project_key: project(),
    space_key: bigint(),
    first_key: bigint(),
    last_key: bigint(),
    count: integer(),
    dead: integer(),
    data: blob(),
  },
  primaryKey: ['key'],
  indexes: [
    { name: 'vector_segments_by_project', columns: ['project_key', 'space_key', 'last_key'] },
  ],
  belongsTo: 'project',
  engine: 'sqlite',
});

/** The full-text index of PostgreSQL; that of SQLite is a virtual table of the same name. */
export const memory_index = defineTable({
  columns: { position: bigint(), project_key: currentProject(), tokens: tsvector() },
  primaryKey: ['project_key', 'position'],
  indexes: [
    {
      name: 'memory_index_tokens',
      columns: ['tokens'],
      // A short list of new entries: each search reads the whole list.
      gin: { settings: 'gin_pending_list_limit = 256' },
    },
  ],
  belongsTo: 'project',
  engine: 'postgres',
  isPartitioned: true,
});
