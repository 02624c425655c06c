import type { EventStatus, EventType } from '../../../contract/schemas/event.ts';
import type { DeliveryStatus } from '../../../contract/schemas/webhook.ts';
import type { DocumentKind, Job } from '../../../core/ports/index.ts';
import {
  counter,
  currentProject,
  entityIdColumns,
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
    id: text(),
    short_id: shortId('id'),
    ...entityIdColumns(),
    event_type: text<EventType>(),
    status: text<EventStatus>(),
    payload: jsonText(),
    metadata: nullable(jsonText()),
    results: jsonText(),
    error: nullable(text()),
    graph_status: nullable(text()),
    ...timeColumns(),
    started_at: nullable(text()),
    completed_at: nullable(text()),
    latency: nullable(real()),
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
    id: text(),
    kind: text<Job['kind']>(),
    subject_id: text(),
    run_at: text(),
    ...leaseColumns(),
    attempts: integer(),
    deferrals: { ...integer(), default: 0 },
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
    job_id: text(),
    step_number: integer(),
    decisions: jsonText(),
    results: nullable(jsonText()),
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
    webhook_id: text(),
    short_id: shortId('webhook_id'),
    name: text(),
    url: text(),
    event_types: jsonText(),
    is_active: flag(),
    disabled_reason: nullable(text()),
    secret: text(),
    failing_since: nullable(text()),
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
    id: text(),
    webhook_id: text(),
    event_type: text(),
    memory_id: nullable(text()),
    body: text(),
    status: text<DeliveryStatus>(),
    attempts: integer(),
    response_status: nullable(integer()),
    error: nullable(text()),
    next_attempt_at: nullable(text()),
    claimable_at: nullable(text()),
    ...leaseColumns(),
    created_at: text(),
    delivered_at: nullable(text()),
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
  queueRights: 'select, insert, update, delete',
  transfer: { key: ['position'] },
});

const exports = defineTable({
  columns: {
    position: counter(),
    project_key: projectKey(),
    id: text(),
    short_id: shortId('id'),
    ...entityIdColumns(),
    schema: jsonText(),
    filters: nullable(jsonText()),
    instructions: nullable(text()),
    status: text<EventStatus>(),
    data: jsonText(),
    error: nullable(text()),
    created_at: text(),
    completed_at: nullable(text()),
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
    kind: text<DocumentKind>(),
    id: text(),
    short_id: shortIdWhere("kind = 'profile_job'", 'id'),
    value: jsonText(),
    updated_at: text(),
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

export const workTables = {
  events,
  jobs,
  job_steps,
  webhooks,
  deliveries,
  exports,
  documents,
};
