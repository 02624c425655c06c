import { sql } from 'kysely';
import type { Database } from '../sql/dialect.ts';
import {
  addColumnSql,
  createIndexesSql,
  createIndexSql,
  createTableSql,
  type EngineWords,
  indexesOf,
} from '../sql/schema/create-sql.ts';

/** The changes of schema 11, which both engines write in the same way. */
export async function upgradeFrom10(db: Database, words: EngineWords): Promise<void> {
  await addPinned(db, words);
  await addValidity(db, words);
  await addVersions(db, words);
  await addTimesOfExports(db, words);
  await sql.raw(addColumnSql('events', 'key_id', words)).execute(db);
}

/** No memory is pinned yet. */
async function addPinned(db: Database, words: EngineWords): Promise<void> {
  const pinned = indexesOf('memories', words.engine).filter(({ name }) =>
    name.startsWith('memories_pinned'),
  );
  const statements = [
    addColumnSql('memories', 'pinned', words),
    ...pinned.map((index) => createIndexSql('memories', index, words.engine)),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

/** Of no memory is it known yet when it was true. */
async function addValidity(db: Database, words: EngineWords): Promise<void> {
  for (const column of ['valid_from', 'valid_until'] as const) {
    await sql.raw(addColumnSql('memories', column, words)).execute(db);
  }
}

/** All exports until then were of the present. */
async function addTimesOfExports(db: Database, words: EngineWords): Promise<void> {
  for (const column of ['as_of', 'valid_at'] as const) {
    await sql.raw(addColumnSql('exports', column, words)).execute(db);
  }
}

/** The history, which knows texts and times, becomes versions. */
async function addVersions(db: Database, words: EngineWords): Promise<void> {
  const statements = [
    addColumnSql('memories', 'recorded_from', words),
    addColumnSql('memories', 'recorded_by', words),
    createTableSql('memory_versions', words),
    ...createIndexesSql('memory_versions', words.engine),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
  await sql`update memories set recorded_from = coalesce(
    (select max(history.updated_at) from history
      where history.project_key = memories.project_key and history.memory_id = memories.id),
    updated_at)`.execute(db);
  await insertVersionsOfHistory.execute(db);
}

/**
 * A version ends with each change and begins with the one before it. Texts, owners, metadata and
 * categories were kept; the other fields are those that the memory has now, if it still exists.
 * Index terms were not kept, so that words do not find these versions.
 */
const insertVersionsOfHistory = sql`
  insert into memory_versions (project_key, position, id, user_id, agent_id, app_id, run_id,
    memory, hash, metadata, categories, immutable, expiration_date, created_at, updated_at,
    role, speaker, terms, speaker_terms, type, status, source_class, pinned,
    recorded_from, recorded_until)
  select change.project_key, coalesce(now.position, -change.position), change.memory_id,
    change.user_id, change.agent_id, change.app_id, change.run_id,
    change.old_memory, '', coalesce(change.metadata_before, change.metadata, '{}'),
    coalesce(change.categories_before, change.categories), coalesce(now.immutable, 0),
    now.expiration_date, change.first_made, change.began, now.role, now.speaker, '', '',
    now.type, coalesce(now.status, 'active'), coalesce(now.source_class, 'unknown'),
    0, change.began, change.updated_at
  from (
    select history.*,
      first_value(created_at) over memory as first_made,
      coalesce(lag(updated_at) over memory, created_at) as began,
      lag(metadata) over memory as metadata_before,
      lag(categories) over memory as categories_before
    from history
    window memory as (partition by project_key, memory_id order by position)
  ) change
  left join memories now
    on now.project_key = change.project_key and now.id = change.memory_id
  where change.event <> 'ADD' and change.old_memory is not null
  order by change.position`;
