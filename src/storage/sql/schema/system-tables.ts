import { counter, fixed, integer, jsonText, nullable, text } from './columns.ts';
import { metaKeys } from './meta-keys.ts';
import { defineTable } from './table.ts';

const meta = defineTable({
  columns: { key: fixed(), value: text('setting') },
  primaryKey: ['key'],
  belongsTo: 'store',
  transfer: {
    key: ['key'],
    excludedKeys: [metaKeys.schema, metaKeys.transfer, metaKeys.mergeLease],
  },
});

const idempotency_keys = defineTable({
  columns: {
    id: fixed(),
    request_hash: fixed(),
    status: nullable(integer()),
    output: jsonText('fixed'),
    created_at: fixed(),
  },
  primaryKey: ['id'],
  indexes: [{ name: 'idempotency_keys_by_time', columns: ['created_at'] }],
  belongsTo: 'store',
  transfer: { key: ['id'] },
});

/** The calls of operations, in one chain of hashes for each process. It holds no text. */
const audit_log = defineTable({
  columns: {
    position: counter(),
    chain: fixed(),
    number: integer(),
    created_at: fixed(),
    account_id: nullable(fixed()),
    key_id: nullable(fixed()),
    project_id: nullable(fixed()),
    operation: fixed(),
    ids: jsonText('fixed'),
    entities: jsonText('fixed'),
    outcome: fixed(),
    previous: fixed(),
    hash: fixed(),
  },
  primaryKey: ['position'],
  indexes: [
    { name: 'audit_log_by_project', columns: ['project_id', 'position'] },
    { name: 'audit_log_by_time', columns: ['created_at'] },
  ],
  belongsTo: 'store',
  transfer: { key: ['position'] },
});

/**
 * The first entry of each chain that retention kept, and its last entry: what is missing from the
 * log at either end is missed by them.
 */
const audit_chains = defineTable({
  columns: { chain: fixed(), first_number: integer(), number: integer(), hash: fixed() },
  primaryKey: ['chain'],
  belongsTo: 'store',
  transfer: { key: ['chain'] },
});

/** Tables about the store itself and the calls that it answered. */
export const systemTables = { meta, idempotency_keys, audit_log, audit_chains };
