import type { RecallingOperation } from '../../../contract/operations/recalls.ts';
import type { EventStatus, EventType } from '../../../contract/schemas/event.ts';
import type { DeliveryStatus } from '../../../contract/schemas/webhook.ts';
import type { DocumentKind, Job } from '../../../core/ports/index.ts';
import {
  counter,
  currentProject,
  entityIdColumns,
  fixed,
  flag,
  integer,
  jsonText,
  leaseColumns,
  nullable,
  projectKey,
  real,
  shortId,
  shortIdWhere,
  text,
  timeColumns,
} from './columns.ts';
import { defineTable, entityIndexes } from './table.ts';

const events = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    short_id: shortId('id'),
    ...entityIdColumns('named'),
    event_type: fixed<EventType>(),
    status: fixed<EventStatus>(),
    payload: jsonText('emptied'),
    metadata: nullable(jsonText('emptied')),
    results: jsonText('items'),
    error: nullable(text('emptied')),
    graph_status: nullable(fixed()),
    ...timeColumns(),
    started_at: nullable(fixed()),
    completed_at: nullable(fixed()),
    latency: nullable(real()),
    /** The key of the call; null for the local user. */
    key_id: nullable(fixed()),
  },
  primaryKey: ['project_key', 'id'],
  unique: [{ columns: ['project_key', 'id'], engine: 'sqlite' }],
  indexes: [
    { name: 'events_by_position', columns: ['position'], engine: 'postgres' },
    {
      name: 'events_by_time',
      columns: ['project_key', 'created_at'],
      more: { postgres: ['position'] },
    },
    {
      name: 'events_by_type',
      columns: ['project_key', 'event_type', 'created_at'],
      more: { postgres: ['position'] },
    },
    { name: 'events_by_short_id', columns: ['project_key', 'short_id'] },
    ...entityIndexes('events', ['position']),
  ],
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position'] },
});

const jobs = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    kind: fixed<Job['kind']>(),
    subject_id: fixed(),
    run_at: fixed(),
    ...leaseColumns(),
    attempts: integer(),
    deferrals: integer(),
  },
  primaryKey: ['project_key', 'id'],
  unique: [{ columns: ['id'], engine: 'sqlite' }],
  indexes: [
    { name: 'jobs_by_position', columns: ['position'], engine: 'postgres' },
    { name: 'jobs_by_time', columns: ['run_at'], more: { postgres: ['position'] } },
    { name: 'jobs_by_subject', columns: ['project_key', 'subject_id'] },
  ],
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position'] },
});

/** The steps of a job are deleted with it. */
const job_steps = defineTable({
  columns: {
    project_key: currentProject(),
    job_id: fixed(),
    step_number: integer(),
    decisions: jsonText('items'),
    results: nullable(jsonText('items')),
  },
  primaryKey: ['project_key', 'job_id', 'step_number'],
  foreignKey: {
    columns: ['project_key', 'job_id'],
    table: 'jobs',
    references: ['project_key', 'id'],
  },
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['job_id', 'step_number'] },
});

const webhooks = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    webhook_id: fixed(),
    short_id: shortId('webhook_id'),
    name: text('setting'),
    url: text('setting'),
    event_types: jsonText('setting'),
    is_active: flag(),
    disabled_reason: nullable(text('setting')),
    secret: text('setting'),
    failing_since: nullable(fixed()),
    ...timeColumns(),
  },
  primaryKey: ['project_key', 'webhook_id'],
  unique: [{ columns: ['webhook_id'], engine: 'sqlite' }],
  indexes: [
    { name: 'webhooks_by_project', columns: ['project_key'], engine: 'sqlite' },
    { name: 'webhooks_by_id', columns: ['webhook_id'], engine: 'postgres' },
  ],
  belongsTo: 'project',
  queueRights: 'select',
  transfer: { key: ['position'] },
});

/**
 * `claimable_at` is when the delivery may be claimed: at its next attempt, or when its lease ends.
 * It is null if it must not be claimed: settled, behind an older one of its webhook and memory, or
 * disabled.
 */
const deliveries = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    webhook_id: fixed(),
    event_type: fixed(),
    memory_id: nullable(fixed()),
    body: text('memory'),
    status: fixed<DeliveryStatus>(),
    attempts: integer(),
    response_status: nullable(integer()),
    error: nullable(text('memory')),
    next_attempt_at: nullable(fixed()),
    claimable_at: nullable(fixed()),
    ...leaseColumns(),
    created_at: fixed(),
    delivered_at: nullable(fixed()),
  },
  primaryKey: ['project_key', 'id'],
  unique: [{ columns: ['id'], engine: 'sqlite' }],
  indexes: [
    { name: 'deliveries_by_position', columns: ['position'], engine: 'postgres' },
    { name: 'deliveries_by_webhook', columns: ['project_key', 'webhook_id', 'position'] },
    {
      name: 'deliveries_by_memory',
      columns: ['project_key', 'memory_id', 'webhook_id', 'status', 'position'],
    },
    {
      name: 'deliveries_due',
      columns: ['claimable_at', 'position', 'webhook_id'],
      where: 'claimable_at is not null',
    },
    { name: 'deliveries_by_time', columns: ['created_at'] },
  ],
  belongsTo: 'project',
  memory: 'memory_id',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position'] },
});

const exports = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    short_id: shortId('id'),
    ...entityIdColumns('row'),
    schema: jsonText('row'),
    filters: nullable(jsonText('row')),
    instructions: nullable(text('row')),
    status: fixed<EventStatus>(),
    data: jsonText('row'),
    error: nullable(text('row')),
    created_at: fixed(),
    completed_at: nullable(fixed()),
    as_of: nullable(fixed()),
    valid_at: nullable(fixed()),
  },
  primaryKey: ['project_key', 'id'],
  unique: [{ columns: ['project_key', 'id'], engine: 'sqlite' }],
  indexes: [
    { name: 'exports_by_position', columns: ['position'], engine: 'postgres' },
    { name: 'exports_by_time', columns: ['project_key', 'created_at'] },
    { name: 'exports_by_short_id', columns: ['project_key', 'short_id'] },
  ],
  belongsTo: 'project',
  queueRights: 'select, delete',
  transfer: { key: ['position'] },
});

const documents = defineTable({
  columns: {
    project_key: projectKey(),
    kind: fixed<DocumentKind>(),
    id: fixed(),
    short_id: shortIdWhere("kind = 'profile_job'", 'id'),
    value: jsonText('row'),
    updated_at: fixed(),
  },
  primaryKey: ['project_key', 'kind', 'id'],
  indexes: [
    {
      name: 'documents_by_short_id',
      columns: ['project_key', 'short_id'],
      where: 'short_id is not null',
    },
  ],
  belongsTo: 'project',
  transfer: { key: ['kind', 'id'] },
});

/** Searches and contexts that were answered, where a project keeps them. */
const recalls = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: fixed(),
    short_id: shortId('id'),
    ...entityIdColumns('row'),
    operation: fixed<RecallingOperation>(),
    key_id: nullable(fixed()),
    asked: jsonText('row'),
    /** Packed: the ends of the ids and the scores. */
    hits: text('ends'),
    total: integer(),
    tokens: integer(),
    ranking: integer(),
    created_at: fixed(),
  },
  primaryKey: ['project_key', 'id'],
  unique: [{ columns: ['project_key', 'id'], engine: 'sqlite' }],
  indexes: [
    { name: 'recalls_by_position', columns: ['position'], engine: 'postgres' },
    {
      name: 'recalls_by_time',
      columns: ['project_key', 'created_at'],
      more: { postgres: ['position'] },
    },
    { name: 'recalls_by_short_id', columns: ['project_key', 'short_id'] },
  ],
  belongsTo: 'project',
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position'] },
});

export const workTables = {
  events,
  jobs,
  job_steps,
  webhooks,
  deliveries,
  exports,
  documents,
  recalls,
};
