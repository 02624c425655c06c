import { type Insertable, sql } from 'kysely';
import { type EntityIds, entityIdField } from '../../contract/schemas/entity.ts';
import type { ProjectRef } from '../../core/ports/index.ts';
import { toJson } from '../json.ts';
import { prepared, preparedToSend, type Values } from '../prepared.ts';
import type { EntityRow } from '../schema.ts';
import type { At } from './at.ts';
import { type EntityRef, entitiesOf } from './entity-keys.ts';
import { addToTotals } from './entity-totals.ts';

/** How many memories the project holds, or the smallest of the given entities. */
export async function countMemories(
  at: At,
  project: ProjectRef,
  ids: Partial<EntityIds>,
): Promise<number> {
  const entities = entitiesOf(ids);
  if (entities.length === 0) return countOfProject(at, project);
  const counts = await countsOf(at, project, entities);
  return counts.length < entities.length ? 0 : Math.min(...counts);
}

/** The one with the fewest memories of several entities; undefined where there is no choice. */
export async function narrowestOf(
  at: At,
  project: ProjectRef,
  ids: Partial<EntityIds>,
): Promise<keyof EntityIds | undefined> {
  const entities = entitiesOf(ids);
  if (entities.length < 2) return undefined;
  const counts = await countsOf(at, project, entities);
  const narrowest = entities[counts.indexOf(Math.min(...counts))];
  return narrowest === undefined ? undefined : entityIdField(narrowest.type);
}

async function countOfProject(at: At, { key }: ProjectRef): Promise<number> {
  const [project] = await findProjectTotal(at, { key });
  return project?.total_memories ?? 0;
}

const findProjectTotal = prepared((db, value: Values<{ key: number }>) =>
  db.selectFrom('projects').select('total_memories').where('key', '=', value('key')),
);

async function countsOf(
  at: At,
  project: ProjectRef,
  entities: readonly EntityRef[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const { type, id } of entities) {
    const [entity] = await findEntityTotal(at, { project_key: project.key, type, id });
    if (entity !== undefined) counts.push(entity.total_memories);
  }
  return counts;
}

const findEntityTotal = prepared((db, value: Values<EntityRef & { project_key: number }>) =>
  db
    .selectFrom('entities')
    .select('total_memories')
    .where('project_key', '=', value('project_key'))
    .where('type', '=', value('type'))
    .where('id', '=', value('id')),
);

/** Finds the number of an entity that was counted. */
export type EntityKeys = (entity: EntityRef) => number;

/** Counts memories to their project and entities; entities are made where missing. */
export async function countIn(
  at: At,
  project: ProjectRef,
  memories: readonly (EntityIds & { updated_at: string })[],
): Promise<EntityKeys> {
  await addToProject(at, project, memories.length);
  const keys = new Map<string, number>();
  for (const tally of tallyByEntity(memories)) {
    keys.set(nameOf(tally), await countToEntity(at, project, tally));
  }
  return (entity) => {
    const key = keys.get(nameOf(entity));
    if (key === undefined) throw new Error(`an entity of type ${entity.type} was not counted`);
    return key;
  };
}

async function countToEntity(at: At, project: ProjectRef, tally: Tally): Promise<number> {
  const { type, id, count: total_memories, first: created_at, last: updated_at } = tally;
  const values = { project_key: project.key, type, id, total_memories, created_at, updated_at };
  // Most often it is there.
  const [there] = await addToEntity(at, values);
  const entity = there ?? (await insertEntity(at, values))[0];
  if (entity === undefined) throw new Error(`an entity of type ${type} was not counted`);
  const entities = there === undefined ? 1 : 0;
  await addToTotals(at, project, { type, entities, memories: total_memories });
  return entity.key;
}

/** Counts memories off again. Entities without memories stay. */
export async function countOut(
  at: At,
  project: ProjectRef,
  memories: readonly EntityIds[],
): Promise<void> {
  await addToProject(at, project, -memories.length);
  const tallies = tallyByEntity(memories.map((memory) => ({ ...memory, updated_at: '' })));
  for (const tally of tallies) {
    await subtractFromEntity(at, project, tally);
    await addToTotals(at, project, { type: tally.type, entities: 0, memories: -tally.count });
  }
}

type Tally = EntityRef & { count: number; first: string; last: string };

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

type Counted = Omit<Insertable<EntityRow>, 'name' | 'metadata'>;

const insertEntity = prepared((db, value: Values<Counted>) =>
  db
    .insertInto('entities')
    .values({
      project_key: value('project_key'),
      type: value('type'),
      id: value('id'),
      name: value('id'),
      metadata: toJson({}),
      total_memories: value('total_memories'),
      created_at: value('created_at'),
      updated_at: value('updated_at'),
    })
    .returning('key'),
);

/** Answers nothing where there is no such entity. */
const addToEntity = prepared((db, value: Values<Counted>) =>
  db
    .updateTable('entities')
    .set({
      total_memories: sql`total_memories + ${value('total_memories')}`,
      updated_at: sql`case when ${value('updated_at')} > updated_at
        then ${value('updated_at')} else updated_at end`,
    })
    .where('project_key', '=', value('project_key'))
    .where('type', '=', value('type'))
    .where('id', '=', value('id'))
    .returning('key'),
);

async function subtractFromEntity({ db }: At, project: ProjectRef, tally: Tally): Promise<void> {
  await db
    .updateTable('entities')
    .set({ total_memories: lowered(tally.count) })
    .where('project_key', '=', project.key)
    .where('type', '=', tally.type)
    .where('id', '=', tally.id)
    .execute();
}

async function addToProject(at: At, { key }: ProjectRef, count: number): Promise<void> {
  await lowerProject(at, { key, less: -count });
}

const lowerProject = preparedToSend((db, value: Values<{ key: number; less: number }>) =>
  db
    .updateTable('projects')
    .set({ total_memories: lowered(value('less')) })
    .where('key', '=', value('key')),
);

/** A counter that is off must not become an impossible one. */
function lowered(count: number) {
  return sql<number>`case when total_memories > ${count} then total_memories - ${count} else 0 end`;
}
