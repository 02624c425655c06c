import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, SqlDialect } from '../sql/dialect.ts';
import { insertDefaultTenant } from './001-default-tenant.ts';

/** Steps never change once released: what they made is in people's files. */
export async function createInitialTables(db: Database, dialect: SqlDialect): Promise<void> {
  const { growingKey, tableOptions } = dialect.schema;
  for (const table of [...tenantTables(growingKey), ...projectTables(growingKey)]) {
    await sql.raw(`create table ${table} ${tableOptions}`).execute(db);
  }
  for (const index of indexes()) await sql.raw(`create ${index}`).execute(db);
  await dialect.textIndex.create(db);
  const secret = randomBytes(32).toString('hex');
  await db.insertInto('meta').values({ key: 'secret', value: secret }).execute();
  await insertDefaultTenant(db);
}

const ids = 'user_id text, agent_id text, app_id text, run_id text';
const times = 'created_at text not null, updated_at text not null';
const project = 'project_key integer not null references projects (key)';
const account = 'account_id text not null references accounts (account_id)';
const organization = 'org_id text not null references organizations (org_id)';

function tenantTables(growingKey: string): string[] {
  return [
    'meta (key text primary key, value text not null)',
    `accounts (number ${growingKey}, account_id text not null unique, email text not null unique,
      username text not null, created_at text not null)`,
    `organizations (number ${growingKey}, org_id text not null unique, name text not null,
      description text not null, address text not null, contact_email text not null,
      phone_number text not null, website text not null,
      owner_id text not null references accounts (account_id), ${times})`,
    `projects (key ${growingKey}, ${organization}, project_id text not null unique,
      name text not null, description text not null, settings text not null,
      total_memories integer not null, ${times})`,
    `members (position ${growingKey}, ${organization},
      project_key integer references projects (key), ${account}, role text not null,
      created_at text not null)`,
    `keys (position ${growingKey}, key_id text not null unique, ${account}, name text not null,
      prefix text not null, hash text not null unique, org_id text, project_id text,
      read_only integer not null, expires_at text, revoked_at text, last_used_at text,
      created_at text not null)`,
    `answers (id text primary key, request text not null, status integer, headers text not null,
      body text not null, created_at text not null)`,
  ];
}

function projectTables(growingKey: string): string[] {
  return [
    `entities (key ${growingKey}, ${project}, type text not null, id text not null,
      name text not null, metadata text not null, total_memories integer not null, ${times},
      unique (project_key, type, id))`,
    `memories (position ${growingKey}, ${project}, id text not null, ${ids},
      memory text not null, hash text not null, metadata text not null, categories text not null,
      immutable integer not null, expiration_date text, ${times}, replaced_by text,
      role text, speaker text, terms text not null, speaker_terms text not null,
      place integer,
      unique (project_key, id))`,
    `history (position ${growingKey}, ${project}, id text not null, memory_id text not null, ${ids},
      event text not null, input text not null, old_memory text, new_memory text,
      metadata text, categories text not null, ${times})`,
    `feedback (${project}, memory_id text not null, id text not null, feedback text,
      feedback_reason text, created_at text not null, primary key (project_key, memory_id))`,
    `events (position ${growingKey}, ${project}, id text not null, ${ids},
      event_type text not null, status text not null, payload text not null, metadata text,
      results text not null, error text, graph_status text, ${times},
      started_at text, completed_at text, latency real, unique (project_key, id))`,
    `jobs (position ${growingKey}, ${project}, id text not null unique, kind text not null,
      subject_id text not null, run_at text not null, lease_owner text, lease_until text,
      attempts integer not null)`,
    `webhooks (position ${growingKey}, ${project}, webhook_id text not null unique,
      name text not null, url text not null, event_types text not null,
      is_active integer not null, disabled_reason text, secret text not null,
      failing_since text, ${times})`,
    `deliveries (position ${growingKey}, ${project}, id text not null unique,
      webhook_id text not null, event_type text not null, memory_id text, body text not null,
      status text not null, attempts integer not null, response_status integer, error text,
      next_attempt_at text, due_at text, lease_owner text, lease_until text,
      created_at text not null, delivered_at text)`,
    `exports (position ${growingKey}, ${project}, id text not null, ${ids}, schema text not null,
      filters text, instructions text, status text not null, data text not null,
      error text, created_at text not null, completed_at text, unique (project_key, id))`,
    `documents (${project}, kind text not null, id text not null, value text not null,
      updated_at text not null, primary key (project_key, kind, id))`,
  ];
}

function indexes(): string[] {
  return [
    'index projects_by_organization on projects (org_id)',
    // One place each: NULLs would not be equal in one unique index over both kinds.
    `unique index members_of_organizations on members (org_id, account_id)
      where project_key is null`,
    `unique index members_of_projects on members (project_key, account_id)
      where project_key is not null`,
    'index members_by_account on members (account_id)',
    'index answers_by_time on answers (created_at)',
    'index memories_by_time on memories (project_key, created_at)',
    'index memories_by_hash on memories (project_key, hash)',
    `index memories_hideable on memories (project_key)
      where replaced_by is not null or expiration_date is not null`,
    ...byEntity('memories', 'created_at'),
    `index memories_by_place on memories (project_key, run_id, place) where run_id is not null`,
    'index history_by_memory on history (project_key, memory_id)',
    ...byEntity('history', 'position'),
    'index events_by_time on events (project_key, created_at)',
    'index events_by_type on events (project_key, event_type, created_at)',
    ...byEntity('events', 'position'),
    'index jobs_by_time on jobs (run_at)',
    'index jobs_by_subject on jobs (project_key, subject_id)',
    'index webhooks_by_project on webhooks (project_key)',
    'index deliveries_by_webhook on deliveries (project_key, webhook_id, position)',
    `index deliveries_by_memory on deliveries
      (project_key, memory_id, webhook_id, status, position)`,
    'index deliveries_due on deliveries (due_at, position, webhook_id) where due_at is not null',
    'index deliveries_by_time on deliveries (created_at)',
    'index exports_by_time on exports (project_key, created_at)',
  ];
}

/** Most rows carry one or two of the four ids: each index holds only those that carry its own. */
function byEntity(table: string, order: string): string[] {
  return ['user_id', 'agent_id', 'app_id', 'run_id'].map(
    (id) =>
      `index ${table}_by_${id} on ${table} (project_key, ${id}, ${order}) where ${id} is not null`,
  );
}
