import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import { metaKeys } from '../sql/schema/meta-keys.ts';

/** Names of schema 8, and what they became in schema 9. */
export const renamedTables = {
  keys: 'api_keys',
  answers: 'idempotency_keys',
  spaces: 'embedding_models',
  vectors_wanted: 'embedding_queue',
  job_parts: 'job_steps',
  languages: 'project_languages',
  memory_index: 'memory_fts',
} as const;

/** By the new names of the tables. */
export const renamedColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  idempotency_keys: { request: 'request_hash' },
  embedding_models: {
    complete: 'is_complete',
    done_to: 'embedded_up_to',
    used_at: 'last_used_at',
  },
  embedding_queue: { space_key: 'model_key' },
  vectors: { space_key: 'model_key' },
  memories: { place: 'run_position' },
  job_steps: { number: 'step_number' },
  relations: { number: 'ordinal' },
  deliveries: { due_at: 'claimable_at' },
};

const renamedMetaKeys = {
  moving: metaKeys.transfer,
  index_upkeep: metaKeys.mergeLease,
  analyzed_to: metaKeys.analyzedUpTo,
};

/** The mark of schema 8 on a store that an unfinished `mneme migrate` writes to. */
export const transferKeyOf8 = 'moving';

/** The renames that both engines write in the same way; `has` tells which tables there are. */
export async function renameFrom8(db: Database, has: (table: string) => boolean): Promise<void> {
  for (const [old, table] of Object.entries(renamedTables)) {
    await sql`alter table ${sql.id(old)} rename to ${sql.id(table)}`.execute(db);
  }
  for (const [table, columns] of Object.entries(renamedColumns)) {
    if (!has(table)) continue;
    for (const [old, column] of Object.entries(columns)) {
      const rename = sql`rename column ${sql.id(old)} to ${sql.id(column)}`;
      await sql`alter table ${sql.id(table)} ${rename}`.execute(db);
    }
  }
  await renameTransferProgress(db);
  for (const [old, key] of Object.entries(renamedMetaKeys)) {
    await db.updateTable('meta').set({ key }).where('key', '=', old).execute();
  }
}

/** An unfinished `mneme migrate` notes the table that it copied last. */
async function renameTransferProgress(db: Database): Promise<void> {
  for (const [old, table] of Object.entries(renamedTables)) {
    const [before, after] = [`"table":"${old}"`, `"table":"${table}"`];
    await db
      .updateTable('meta')
      .set({ value: sql<string>`replace(value, ${before}, ${after})` })
      .where('key', '=', transferKeyOf8)
      .execute();
  }
}

/** What a table or a column of schema 9 is called in a store of this version. */
export function nameAt(version: number, name: string, table?: string): string {
  if (version > 8) return name;
  const names = table === undefined ? renamedTables : (renamedColumns[table] ?? {});
  return Object.entries(names).find(([, current]) => current === name)?.[0] ?? name;
}

/** Tables of which schema 8 has no short ids. */
export const tablesWithShortIds = [
  'memories',
  'history',
  'events',
  'exports',
  'webhooks',
  'documents',
] as const;

/** Whether an index of schema 9 is made for the short ids. */
export function isOfShortIds({ columns }: { columns: readonly string[] }): boolean {
  return columns.includes('short_id');
}

/** Indexes of schema 8 that are named after something that was renamed. */
export const renamedIndexes = [
  {
    table: 'idempotency_keys',
    old: 'answers_by_time',
    index: 'idempotency_keys_by_time',
  },
  { table: 'memories', old: 'memories_by_place', index: 'memories_by_run_position' },
  { table: 'vectors', old: 'vectors_by_space', index: 'vectors_by_model' },
  { table: 'memory_fts', old: 'memory_index_tokens', index: 'memory_fts_tokens' },
] as const;
