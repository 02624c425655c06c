import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Dialect } from '../dialects/dialect.ts';

/** Steps never change once released: what they made is in people's files. */
export async function createFirstTables(db: Database, dialect: Dialect): Promise<void> {
  const { growingKey, tableOptions } = dialect.schema;
  for (const table of tables(growingKey)) {
    await sql.raw(`create table ${table} ${tableOptions}`).execute(db);
  }
  for (const index of indexes()) await sql.raw(`create ${index}`).execute(db);
  await dialect.index.create(db);
  const secret = randomBytes(32).toString('hex');
  await db.insertInto('meta').values({ key: 'secret', value: secret }).execute();
}

const ids = 'user_id text, agent_id text, app_id text, run_id text';
const times = 'created_at text not null, updated_at text not null';
const project = 'project_key integer not null references projects (key)';

function tables(growingKey: string): string[] {
  return [
    'meta (key text primary key, value text not null)',
    'organizations (org_id text primary key, name text not null, created_at text not null)',
    `projects (key ${growingKey}, org_id text not null references organizations (org_id),
      project_id text not null unique, name text not null,
      total_memories integer not null, created_at text not null)`,
    `entities (key ${growingKey}, ${project}, type text not null, id text not null,
      name text not null, metadata text not null, total_memories integer not null, ${times},
      unique (project_key, type, id))`,
    `memories (position ${growingKey}, ${project}, id text not null, ${ids},
      memory text not null, hash text not null, metadata text not null, categories text not null,
      immutable integer not null, expiration_date text, ${times}, replaced_by text,
      role text, speaker text, terms text not null, speaker_terms text not null,
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
  ];
}

function indexes(): string[] {
  return [
    'index memories_by_time on memories (project_key, created_at)',
    'index memories_by_hash on memories (project_key, hash)',
    ...byEntity('memories', 'created_at'),
    'index history_by_memory on history (project_key, memory_id)',
    ...byEntity('history', 'position'),
    'index events_by_time on events (project_key, created_at)',
    ...byEntity('events', 'position'),
    'index jobs_by_time on jobs (run_at)',
    'index jobs_by_subject on jobs (project_key, subject_id)',
  ];
}

/** Most rows carry one or two of the four ids: each index holds only those that carry its own. */
function byEntity(table: string, order: string): string[] {
  return ['user_id', 'agent_id', 'app_id', 'run_id'].map(
    (id) =>
      `index ${table}_by_${id} on ${table} (project_key, ${id}, ${order}) where ${id} is not null`,
  );
}
