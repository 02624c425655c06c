import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { deleteRowsInChunks } from '../../sql/delete-in-chunks.ts';
import { deleteVectors } from '../search/vectors.ts';

/** Deletes the project and everything that belongs to it, in the caller's transaction. */
export async function deleteProject(at: DbContext, project: ProjectRef): Promise<void> {
  await deleteRowsInChunks((limit) => deleteMemoryChunk(at, project, limit));
  await deleteRowsInChunks((limit) => deleteVersionChunk(at, project, limit));
  for (const table of rowTables) {
    await deleteRowsInChunks((limit) => deleteRowChunk(at, project, { table, limit }));
  }
  for (const table of smallTables) {
    await at.db.deleteFrom(table).where('project_key', '=', project.key).execute();
  }
  await at.db.deleteFrom('members').where('project_key', '=', project.key).execute();
  await at.db.deleteFrom('projects').where('key', '=', project.key).execute();
}

/** Tables that may have very many rows. */
const rowTables = ['history', 'events', 'deliveries', 'exports', 'recalls'] as const;

/** The smaller tables, each emptied in one statement. */
const smallTables = [
  'feedback',
  'relations',
  'entities',
  'entity_totals',
  'jobs',
  'webhooks',
  'documents',
  'project_languages',
] as const;

/** Includes index entries; the counters go with the project. */
async function deleteMemoryChunk(
  at: DbContext,
  project: ProjectRef,
  limit: number,
): Promise<number> {
  const { db, dialect } = at;
  const rows = await db
    .deleteFrom('memories')
    .where('position', 'in', (eb) =>
      eb
        .selectFrom('memories')
        .select('position')
        .where('project_key', '=', project.key)
        .limit(limit),
    )
    .returning('position')
    .execute();
  const positions = rows.map(({ position }) => position);
  await dialect.textIndex.delete(db, positions);
  await deleteVectors(at, positions);
  return rows.length;
}

async function deleteVersionChunk({ db }: DbContext, project: ProjectRef, limit: number) {
  const { numDeletedRows } = await db
    .deleteFrom('memory_versions')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('memory_versions')
        .select('key')
        .where('project_key', '=', project.key)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function deleteRowChunk(
  { db }: DbContext,
  project: ProjectRef,
  { table, limit }: { table: (typeof rowTables)[number]; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('position', 'in', (eb) =>
      eb.selectFrom(table).select('position').where('project_key', '=', project.key).limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
