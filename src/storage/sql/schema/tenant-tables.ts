import type { Role } from '../../../contract/schemas/member.ts';
import {
  accountId,
  counter,
  fixed,
  flag,
  integer,
  jsonText,
  nullable,
  organizationId,
  text,
  timeColumns,
  unique,
} from './columns.ts';
import { defineTable } from './table.ts';

const accounts = defineTable({
  columns: {
    number: counter(),
    account_id: unique(fixed()),
    email: unique(text('setting')),
    username: text('setting'),
    created_at: fixed(),
  },
  primaryKey: ['number'],
  belongsTo: 'store',
  transfer: { key: ['number'] },
});

const organizations = defineTable({
  columns: {
    number: counter(),
    org_id: unique(fixed()),
    name: text('setting'),
    description: text('setting'),
    address: text('setting'),
    contact_email: text('setting'),
    phone_number: text('setting'),
    website: text('setting'),
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
    project_id: unique(fixed()),
    name: text('setting'),
    description: text('setting'),
    settings: jsonText('setting'),
    total_memories: integer(),
    ...timeColumns(),
  },
  primaryKey: ['key'],
  indexes: [{ name: 'projects_by_organization', columns: ['org_id'] }],
  belongsTo: 'store',
  transfer: { key: ['key'] },
  fillFactor: 40,
});

/**
 * Membership of an organization if `project_key` is null, otherwise of that project. It is an
 * invitation until the account accepts it.
 */
const members = defineTable({
  columns: {
    position: counter(),
    org_id: organizationId(),
    project_key: nullable({ ...integer(), references: 'projects (key)' }),
    account_id: accountId(),
    role: fixed<Role>(),
    created_at: fixed(),
    accepted_at: nullable(fixed()),
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
    key_id: unique(fixed()),
    account_id: accountId(),
    name: text('setting'),
    prefix: fixed(),
    hash: unique(fixed()),
    org_id: nullable(fixed()),
    project_id: nullable(fixed()),
    read_only: flag(),
    expires_at: nullable(fixed()),
    revoked_at: nullable(fixed()),
    last_used_at: nullable(fixed()),
    created_at: fixed(),
  },
  primaryKey: ['position'],
  belongsTo: 'store',
  transfer: { key: ['position'] },
});

/**
 * Sessions of browsers, as hashes: who reads the store can use none. Each stands for an API key, or
 * for an account with the rights of a one-time link.
 */
const sessions = defineTable({
  columns: {
    position: counter(),
    hash: unique(fixed()),
    proof_hash: fixed(),
    key_id: nullable(fixed()),
    account_id: nullable(fixed()),
    rights: nullable(jsonText('setting')),
    ends_at: fixed(),
  },
  primaryKey: ['position'],
  belongsTo: 'store',
  transfer: { key: ['position'] },
});

export const tenantTables = {
  accounts,
  organizations,
  projects,
  members,
  api_keys,
  sessions,
};
