import { sql } from 'kysely';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Project } from '../../core/ports.ts';
import { toJson } from '../json.ts';
import type { At } from './at.ts';
import { type EntityRef, entitiesOf } from './entity-keys.ts';

/** How many memories the project holds, or the smallest of the given entities. */
export async function countMemories(
  at: At,
  project: Project,
  ids: Partial<EntityIds>,
): Promise<number> {
  const entities = entitiesOf(ids);
  if (entities.length === 0) return countOfProject(at, project);
  const counts = await countsOf(at, project, entities);
  return counts.length < entities.length ? 0 : Math.min(...counts);
}

async function countOfProject({ db }: At, project: Project): Promise<number> {
  const row = await db
    .selectFrom('projects')
    .select('total_memories')
    .where('key', '=', project.key)
    .executeTakeFirst();
  return row?.total_memories ?? 0;
}

async function countsOf(
  { db }: At,
  project: Project,
  entities: readonly EntityRef[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('entities')
    .select('total_memories')
    .where('project_key', '=', project.key)
    .where((eb) =>
      eb.or(entities.map(({ type, id }) => eb.and([eb('type', '=', type), eb('id', '=', id)]))),
    )
    .execute();
  return rows.map((row) => row.total_memories);
}

/** Finds the number of an entity that was counted. */
export type EntityKeys = (entity: EntityRef) => number;

/** Counts memories to their project and entities; entities are made where missing. */
export async function countIn(
  at: At,
  project: Project,
  memories: readonly (EntityIds & { updated_at: string })[],
): Promise<EntityKeys> {
  await addToProject(at, project, memories.length);
  const tallies = tallyByEntity(memories);
  const keys = new Map<string, number>();
  for (let start = 0; start < tallies.length; start += chunkSize) {
    const rows = await upsertEntities(at, project, tallies.slice(start, start + chunkSize));
    for (const row of rows) keys.set(nameOf(row), row.key);
  }
  return (entity) => {
    const key = keys.get(nameOf(entity));
    if (key === undefined) throw new Error(`an entity of type ${entity.type} was not counted`);
    return key;
  };
}

/** Counts memories off again. Entities without memories stay. */
export async function countOut(
  at: At,
  project: Project,
  memories: readonly EntityIds[],
): Promise<void> {
  await addToProject(at, project, -memories.length);
  const tallies = tallyByEntity(memories.map((memory) => ({ ...memory, updated_at: '' })));
  for (const tally of tallies) await subtractFromEntity(at, project, tally);
}

type Tally = EntityRef & { count: number; first: string; last: string };

/** Entities in one statement. */
const chunkSize = 100;

function tallyByEntity(memories: readonly (EntityIds & { updated_at: string })[]): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const memory of memories) {
    const time = memory.updated_at;
    for (const entity of entitiesOf(memory)) {
      const tally = tallies.get(nameOf(entity)) ?? { ...entity, count: 0, first: time, last: time };
      tally.count += 1;
      if (time < tally.first) tally.first = time;
      if (time > tally.last) tally.last = time;
      tallies.set(nameOf(entity), tally);
    }
  }
  return [...tallies.values()];
}

function nameOf({ type, id }: EntityRef): string {
  return `${type} ${id}`;
}

function upsertEntities({ db }: At, project: Project, tallies: readonly Tally[]) {
  return db
    .insertInto('entities')
    .values(
      tallies.map(({ type, id, count, first, last }) => ({
        project_key: project.key,
        type,
        id,
        name: id,
        metadata: toJson({}),
        total_memories: count,
        created_at: first,
        updated_at: last,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['project_key', 'type', 'id']).doUpdateSet({
        total_memories: sql`entities.total_memories + excluded.total_memories`,
        updated_at: sql`case when excluded.updated_at > entities.updated_at
          then excluded.updated_at else entities.updated_at end`,
      }),
    )
    .returning(['key', 'type', 'id'])
    .execute();
}

async function subtractFromEntity({ db }: At, project: Project, tally: Tally): Promise<void> {
  await db
    .updateTable('entities')
    .set({ total_memories: lowered(tally.count) })
    .where('project_key', '=', project.key)
    .where('type', '=', tally.type)
    .where('id', '=', tally.id)
    .execute();
}

async function addToProject({ db }: At, project: Project, count: number): Promise<void> {
  await db
    .updateTable('projects')
    .set({ total_memories: lowered(-count) })
    .where('key', '=', project.key)
    .execute();
}

/** A counter that is off must not become an impossible one. */
function lowered(count: number) {
  return sql<number>`case when total_memories > ${count} then total_memories - ${count} else 0 end`;
}
