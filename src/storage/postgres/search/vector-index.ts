import { sql } from 'kysely';
import type { ClientBase } from 'pg';
import type { Database, VectorIndex } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { writerLock } from '../connection/row-security.ts';
import { hasTable, inMigrationTransaction } from '../schema/migrate.ts';
import { grantRights } from '../schema/row-policies.ts';
import { createVectorTablesSql } from '../schema/tables.ts';
import { postgresNearest, vectorLiteral } from './nearest.ts';

/** Vectors in PostgreSQL, with the types and operators of pgvector. */
export const postgresVectorIndex: VectorIndex = {
  insert: ({ db }, vectors) => putVectors(db, vectors),
  put: putVectors,
  delete: async (db, positions) => {
    await sql`delete from vectors where position = any(${positions}::bigint[])`.execute(db);
  },
  count: async (db, positions) => {
    const { rows } = await sql<{ total: number }>`select count(*) as total from vectors
      where position = any(${positions}::bigint[])`.execute(db);
    return Number(rows[0]?.total ?? 0);
  },
  preload: async () => null, // the server compares
  nearest: ({ db, dialect }, { selection, ...query }) =>
    postgresNearest(db, { ...query, where: selectionSql(selection, dialect.filter) }),
  similarities: ({ db }, query) => similarities(db, query),
  clear: deleteModelVectors,
  committedUpTo: findCommittedUpTo,
  bytes: () => 0,
  close: async () => {},
};

/** Creates the vector tables if they are missing; false if the server has no pgvector. */
export async function ensureVectorTables(client: ClientBase): Promise<boolean> {
  if (await hasVectorTables(client)) return true;
  try {
    await inMigrationTransaction(client, async () => {
      if (await hasVectorTables(client)) return;
      await client.query('create extension if not exists vector');
      for (const statement of createVectorTablesSql()) await client.query(statement);
      await grantRights(client);
    });
    return true;
  } catch {
    return false;
  }
}

function hasVectorTables(client: ClientBase): Promise<boolean> {
  return hasTable(client, 'vectors');
}

async function putVectors(
  db: Database,
  { project, model_key, entries }: Parameters<VectorIndex['put']>[1],
): Promise<void> {
  const positions = entries.map(({ position }) => position);
  const vectors = entries.map(({ vector }) => vectorLiteral(vector));
  await sql`insert into vectors (project_key, model_key, position, vector)
    select ${project.key}::integer, ${model_key}::bigint, position, vector::vector
    from unnest(${positions}::bigint[], ${vectors}::text[]) as entry(position, vector)
    on conflict (project_key, position, model_key)
      do update set vector = excluded.vector`.execute(db);
}

async function similarities(
  db: Database,
  { project, model_key, vector, positions }: Parameters<VectorIndex['similarities']>[1],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ position: number; similarity: number }>`
    select position, -(vector <#> ${vectorLiteral(vector)}::vector) as similarity
    from vectors where project_key = ${project.key} and model_key = ${model_key}
      and position = any(${positions}::bigint[])`.execute(db);
  return new Map(rows.map(({ position, similarity }) => [position, similarity]));
}

async function deleteModelVectors(
  db: Database,
  { model_key, limit }: { model_key: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`delete from vectors
    where (project_key, position, model_key) in (
      select project_key, position, model_key from vectors where model_key = ${model_key}
      limit ${limit})`.execute(db);
  return Number(numAffectedRows);
}

/**
 * How long to wait for the writers that had begun: longer than a shared transaction accepts new
 * parts.
 */
const writersWaitMs = 250;

/**
 * Positions are assigned when a memory is written and visible after its commit, so a visible
 * position does not mean that all lower ones are. While this lock is held, no write is in progress.
 */
async function findCommittedUpTo(db: Database): Promise<number | null> {
  await sql`savepoint settled`.execute(db);
  try {
    await sql`select set_config('lock_timeout', ${String(writersWaitMs)}, true)`.execute(db);
    await sql`select pg_advisory_xact_lock(${sql.raw(writerLock)})`.execute(db);
  } catch {
    // A long write is in progress: the next check finds what is new.
    await sql`rollback to settled`.execute(db);
    return null;
  }
  const { rows } = await sql<{ last_value: number }>`
    select last_value from memories_position`.execute(db);
  return rows[0]?.last_value ?? 0;
}
