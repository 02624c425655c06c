import { setImmediate } from 'node:timers/promises';
import type { Project } from '../../core/ports.ts';
import type { At } from './at.ts';

/** Rows in one statement: more would keep this process from everything else for too long. */
const chunkSize = 1000;

/** Deletes the project with all that is keyed by it, in a transaction of the caller's. */
export async function deleteProject(at: At, project: Project): Promise<void> {
  await inChunks(() => deleteMemories(at, project));
  for (const table of ['history', 'events', 'deliveries', 'exports'] as const) {
    await inChunks(() => deleteRows(at, project, table));
  }
  for (const table of ['feedback', 'entities', 'jobs', 'webhooks', 'documents'] as const) {
    await at.db.deleteFrom(table).where('project_key', '=', project.key).execute();
  }
  await at.db.deleteFrom('members').where('project_key', '=', project.key).execute();
  await at.db.deleteFrom('projects').where('key', '=', project.key).execute();
}

/** Lets others of this process read between two chunks. */
async function inChunks(deleteChunk: () => Promise<number>): Promise<void> {
  while ((await deleteChunk()) === chunkSize) await setImmediate();
}

/** With their entries of the index; their counters go with the project. */
async function deleteMemories({ db, dialect }: At, project: Project): Promise<number> {
  const rows = await db
    .deleteFrom('memories')
    .where('position', 'in', (eb) =>
      eb
        .selectFrom('memories')
        .select('position')
        .where('project_key', '=', project.key)
        .limit(chunkSize),
    )
    .returning('position')
    .execute();
  await dialect.index.delete(
    db,
    rows.map(({ position }) => position),
  );
  return rows.length;
}

async function deleteRows(
  { db }: At,
  project: Project,
  table: 'history' | 'events' | 'deliveries' | 'exports',
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom(table)
    .where('position', 'in', (eb) =>
      eb
        .selectFrom(table)
        .select('position')
        .where('project_key', '=', project.key)
        .limit(chunkSize),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
