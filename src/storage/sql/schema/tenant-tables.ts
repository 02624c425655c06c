import type { Role } from '../../../contract/schemas/member.ts';
import {
  accountId,
  counter,
  flag,
  integer,
  jsonText,
  nullable,
  organizationId,
  text,
  timeColumns,
  unique,
} from './columns.ts';
import { metaKeys } from './meta-keys.ts';
import { defineTable } from './table.ts';

const meta = defineTable({
  columns: { key: text(), value: text() },
  primaryKey: ['key'],
  belongsTo: 'store',
  transfer: {
    key: ['key'],
    excludedKeys: [metaKeys.schema, metaKeys.transfer, metaKeys.mergeLease],
  },
});

const accounts = defineTable({
  columns: {
    number: counter(),
    account_id: unique(text()),
    email: unique(text()),
    username: text(),
    created_at: text(),
  },
  primaryKey: ['number'],
  belongsTo: 'store',
  transfer: { key: ['number'] },
});

const organizations = defineTable({
  columns: {
    number: counter(),
    org_id: unique(text()),
    name: text(),
    description: text(),
    address: text(),
    contact_email: text(),
    phone_number: text(),
    website: text(),
    owner_id: accountId(),
    ...timeColumns(),
  },
  primaryKey: ['number'],
  belongsTo: 'store',
  transfer: { key: ['number'] },
});

const projects = defineTable({
  columns: {
    key: counter('integer'),
    org_id: organizationId(),
    project_id: unique(text()),
    name: text(),
    description: text(),
    settings: jsonText(),
    total_memories: integer(),
    ...timeColumns(),
  },
  primaryKey: ['key'],
  indexes: [{ name: 'projects_by_organization', columns: ['org_id'] }],
  belongsTo: 'store',
  transfer: { key: ['key'] },
  fillFactor: 40,
});

/** Membership of an organization if `project_key` is null, otherwise of that project. */
const members = defineTable({
  columns: {
    position: counter(),
    org_id: organizationId(),
    project_key: nullable({ ...integer(), references: 'projects (key)' }),
    account_id: accountId(),
    role: text<Role>(),
    created_at: text(),
  },
  primaryKey: ['position'],
  indexes: [
    // Two indexes, because in one over both, NULLs would not equal each other.
    {
      name: 'members_of_organizations',
      columns: ['org_id', 'account_id'],
      where: 'project_key is null',
      isUnique: true,
    },
    {
      name: 'members_of_projects',
      columns: ['project_key', 'account_id'],
      where: 'project_key is not null',
      isUnique: true,
    },
    { name: 'members_by_account', columns: ['account_id'] },
  ],
  belongsTo: 'store',
  transfer: { key: ['position'] },
});

const api_keys = defineTable({
  columns: {
    position: counter(),
    key_id: unique(text()),
    account_id: accountId(),
    name: text(),
    prefix: text(),
    hash: unique(text()),
    org_id: nullable(text()),
    project_id: nullable(text()),
    read_only: flag(),
    expires_at: nullable(text()),
    revoked_at: nullable(text()),
    last_used_at: nullable(text()),
    created_at: text(),
  },
  primaryKey: ['position'],
  belongsTo: 'store',
  transfer: { key: ['position'] },
});

const idempotency_keys = defineTable({
  columns: {
    id: text(),
    request_hash: text(),
    status: nullable(integer()),
    output: jsonText(),
    created_at: text(),
  },
  primaryKey: ['id'],
  indexes: [{ name: 'idempotency_keys_by_time', columns: ['created_at'] }],
  belongsTo: 'store',
  transfer: { key: ['id'] },
});

export const tenantTables = {
  meta,
  accounts,
  organizations,
  projects,
  members,
  api_keys,
  idempotency_keys,
};
