import { sql } from 'kysely';
import type { NewMemory, ProjectRef, VersionTimes } from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { toMemoryRow } from './memory-row.ts';
import { keepTextsApart } from './version-texts.ts';

type NewVersion = NewMemory & VersionTimes;

/** Rows per statement, which has some dozens of values for each. */
const chunkSize = 100;

/** Inserts versions that another store held. The events that made and ended them stay there. */
export async function insertVersions(
  at: DbContext,
  project: ProjectRef,
  versions: readonly NewVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const ids = [...new Set(versions.map(({ id }) => id))];
  await keepTextsApart(at, project, ids);
  const positions = await findPositions(at, project, ids);
  const rows = versions.map((version) => {
    const { recorded_from, recorded_until, superseded_at } = version;
    const superseded_in_part = version.superseded_in_part ? 1 : 0;
    const change = { at: recorded_from, event_id: null };
    const row = toMemoryRow(project, { ...version, run_position: null }, change);
    const position = positions.get(version.id) ?? 0;
    const times = { recorded_until, superseded_at, superseded_in_part };
    return { ...row, position, ...times, ended_by: null };
  });
  for (const values of partsOf(rows, chunkSize))
    await at.db.insertInto('memory_versions').values(values).execute();
}

/** A memory that is gone gets a position of its own below zero, which no other has. */
async function findPositions(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const isAmong = dialect.filter.isIn(sql.ref('known.id'), ids);
  const memories = db
    .selectFrom('memories')
    .select(['id', 'position', 'project_key'])
    .union(db.selectFrom('memory_versions').select(['id', 'position', 'project_key']));
  const rows = await db
    .selectFrom(memories.as('known'))
    .select(['id', 'position'])
    .where('project_key', '=', project.key)
    .where(isAmong)
    .orderBy('position')
    .execute();
  const positions = new Map(rows.map(({ id, position }) => [id, position]));
  const { least } = await db
    .selectFrom('memory_versions')
    .select(({ fn }) => fn.min('position').as('least'))
    .where('project_key', '=', project.key)
    .executeTakeFirstOrThrow();
  const free = Math.min(0, Number(least ?? 0)) - 1;
  const gone = ids.filter((id) => !positions.has(id));
  for (const [index, id] of gone.entries()) positions.set(id, free - index);
  return positions;
}
