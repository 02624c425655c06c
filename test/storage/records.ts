import type { IdempotentAnswer } from '../../src/contract/http-binding.ts';
import type { AuditEntry } from '../../src/contract/schemas/audit.ts';
import { defaultProjectSettings } from '../../src/contract/schemas/project.ts';
import type { StrictOmit } from '../../src/contract/strict-omit.ts';
import type {
  Account,
  StoredDelivery,
  StoredExport,
  StoredKey,
  StoredOrganization,
  StoredProject,
  StoredRecall,
  StoredWebhook,
} from '../../src/core/ports/index.ts';
import { makeId, nobody, now } from './memory.ts';

export function makeAccount(parts: Partial<Account> = {}): StrictOmit<Account, 'number'> {
  const account_id = parts.account_id ?? makeId();
  const email = `${account_id}@example.com`;
  return { account_id, email, username: account_id, created_at: now, ...parts };
}

export function makeOrganization(
  parts: Pick<StoredOrganization, 'owner_id'> & Partial<StoredOrganization>,
): StrictOmit<StoredOrganization, 'number'> {
  return {
    org_id: makeId(),
    name: 'Acme',
    description: '',
    address: '',
    contact_email: '',
    phone_number: '',
    website: '',
    created_at: now,
    updated_at: now,
    ...parts,
  };
}

export function makeProject(
  parts: Pick<StoredProject, 'org_id'> & Partial<StoredProject>,
): StrictOmit<StoredProject, 'key'> {
  return {
    project_id: makeId(),
    name: 'Support',
    description: '',
    settings: defaultProjectSettings,
    created_at: now,
    updated_at: now,
    ...parts,
  };
}

export function makeKey(parts: Pick<StoredKey, 'account_id'> & Partial<StoredKey>): StoredKey {
  const key_id = parts.key_id ?? makeId();
  return {
    key_id,
    name: 'laptop',
    prefix: 'mk_abc',
    hash: `hash of ${key_id}`,
    org_id: null,
    project_id: null,
    read_only: false,
    expires_at: null,
    revoked_at: null,
    last_used_at: null,
    created_at: now,
    ...parts,
  };
}

export function makeWebhook(parts: Partial<StoredWebhook> = {}): StoredWebhook {
  return {
    webhook_id: makeId(),
    name: 'hook',
    url: 'https://example.com/hook',
    event_types: ['memory:add'],
    is_active: true,
    disabled_reason: null,
    secret: 'whsec_c2VjcmV0',
    failing_since: null,
    created_at: now,
    updated_at: now,
    ...parts,
  };
}

export function makeDelivery(
  parts: Pick<StoredDelivery, 'webhook_id'> & Partial<StoredDelivery>,
): StoredDelivery {
  return {
    id: makeId(),
    event_type: 'memory:add',
    memory_id: 'm1',
    body: '{"event_details":{}}',
    status: 'PENDING',
    attempts: 0,
    response_status: null,
    error: null,
    next_attempt_at: now,
    created_at: now,
    delivered_at: null,
    ...parts,
  };
}

export function makeExport(parts: Partial<StoredExport> = {}): StoredExport {
  return {
    ...nobody,
    id: makeId(),
    schema: { type: 'object', properties: { name: { type: 'string' } } },
    filters: null,
    instructions: null,
    as_of: null,
    valid_at: null,
    status: 'PENDING',
    data: null,
    error: null,
    created_at: now,
    completed_at: null,
    ...parts,
  };
}

export function makeAnswer(parts: Partial<IdempotentAnswer> = {}): IdempotentAnswer {
  return {
    id: makeId(),
    request_hash: 'POST /v1/memories/ 1234',
    status: null,
    output: '',
    created_at: now,
    ...parts,
  };
}

export function makeAuditEntry(): AuditEntry {
  return {
    chain: 'c',
    number: 1,
    created_at: now,
    operation: 'get_memory',
    outcome: 'ok',
    account_id: null,
    key_id: 'k',
    project_id: 'p',
    ids: ['m1'],
    entities: ['user:0'],
    previous: '',
    hash: 'h',
  };
}

export function makeRecall(parts: Partial<StoredRecall> = {}): StoredRecall {
  return {
    id: makeId(),
    ...nobody,
    operation: 'search_memories',
    key_id: null,
    created_at: now,
    asked: { query: 'Where is the bike?' },
    ranking: 1,
    tokens: 20,
    total: parts.hits?.length ?? 0,
    hits: [],
    ...parts,
  };
}
