import {
  bigint,
  counter,
  currentProject,
  fixed,
  flag,
  integer,
  leaseColumns,
  onlyIn,
  projectKey,
  real,
  text,
  tsvector,
  unique,
  vector,
} from './columns.ts';
import { defineTable } from './table.ts';

/** An embedding model, which has processed all memories up to the position `embedded_up_to`. */
const embedding_models = defineTable({
  columns: {
    key: counter(),
    name: unique(text('setting')),
    dimension: integer(),
    unrelated: real(),
    related: real(),
    trust: real(),
    is_complete: flag(),
    embedded_up_to: bigint(),
    last_used_at: fixed(),
    ...leaseColumns(),
  },
  primaryKey: ['key'],
  belongsTo: 'store',
  transfer: { key: ['key'], needsVectors: true },
});

const embedding_queue = defineTable({
  columns: { model_key: { ...bigint(), references: 'embedding_models (key)' }, position: bigint() },
  primaryKey: ['model_key', 'position'],
  belongsTo: 'store',
  transfer: { key: ['model_key', 'position'], needsVectors: true },
});

/** On PostgreSQL, it exists if pgvector is installed. */
const vectors = defineTable({
  columns: {
    key: onlyIn('sqlite', counter()),
    position: bigint(),
    project_key: projectKey(),
    model_key: bigint(),
    vector: vector('memory'),
  },
  primaryKey: ['project_key', 'position', 'model_key'],
  unique: [{ columns: ['position', 'model_key'], engine: 'sqlite' }],
  indexes: [{ name: 'vectors_by_model', columns: ['model_key', 'project_key'], engine: 'sqlite' }],
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position', 'model_key'], needsVectors: true },
  isPartitioned: true,
});

/** The full-text index of PostgreSQL; that of SQLite is a virtual table of the same name. */
const memory_fts = defineTable({
  columns: { position: bigint(), project_key: currentProject(), tokens: tsvector('memory') },
  primaryKey: ['project_key', 'position'],
  indexes: [
    {
      name: 'memory_fts_tokens',
      columns: ['tokens'],
      // Keeps the pending list short, because each search reads all of it.
      gin: { settings: 'gin_pending_list_limit = 256' },
    },
  ],
  belongsTo: 'project',
  engine: 'postgres',
  isPartitioned: true,
});

export const searchTables = {
  embedding_models,
  embedding_queue,
  vectors,
  memory_fts,
};
