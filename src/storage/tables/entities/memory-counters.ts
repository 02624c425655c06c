import { type Insertable, sql } from 'kysely';
import { type EntityIds, entityIdField, entityTypes } from '../../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { ProjectRef } from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { toJson } from '../../sql/json.ts';
import { prepareSend, prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { EntityRow } from '../../sql/schema.ts';
import { type EntityTypeAndId, entityRefsOf } from './entity-keys.ts';
import { addToEntityTotals } from './entity-totals.ts';

/** How many memories the project has, or the smallest of the given entities. */
export async function countMemories(
  at: DbContext,
  project: ProjectRef,
  ids: Partial<EntityIds>,
): Promise<number> {
  const entities = entityRefsOf(ids);
  if (entities.length === 0) return countProject(at, project);
  const counts = await countEntities(at, project, entities);
  return counts.length < entities.length ? 0 : Math.min(...counts);
}

/** The entity with the fewest memories; undefined unless there are several entities. */
export async function findSmallestEntity(
  at: DbContext,
  project: ProjectRef,
  ids: Partial<EntityIds>,
): Promise<keyof EntityIds | undefined> {
  const entities = entityRefsOf(ids);
  if (entities.length < 2) return undefined;
  const counts = await countEntities(at, project, entities);
  const narrowest = entities[counts.indexOf(Math.min(...counts))];
  return narrowest === undefined ? undefined : entityIdField(narrowest.type);
}

async function countProject(at: DbContext, { key }: ProjectRef): Promise<number> {
  const [project] = await readProjectTotal(at, { key });
  return project?.total_memories ?? 0;
}

const readProjectTotal = prepareStatement((db, value: StatementParameters<{ key: number }>) =>
  db.selectFrom('projects').select('total_memories').where('key', '=', value('key')),
);

async function countEntities(
  at: DbContext,
  project: ProjectRef,
  entities: readonly EntityTypeAndId[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const { type, id } of entities) {
    const [entity] = await readEntityTotal(at, { project_key: project.key, type, id });
    if (entity !== undefined) counts.push(entity.total_memories);
  }
  return counts;
}

const readEntityTotal = prepareStatement(
  (db, value: StatementParameters<EntityTypeAndId & { project_key: number }>) =>
    db
      .selectFrom('entities')
      .select('total_memories')
      .where('project_key', '=', value('project_key'))
      .where('type', '=', value('type'))
      .where('id', '=', value('id')),
);

/** Returns the key of an entity that was counted. */
export type EntityKeyLookup = (entity: EntityTypeAndId) => number;

/** Counts memories for their project and entities; creates missing entities. */
export async function addToCounters(
  at: DbContext,
  project: ProjectRef,
  memories: readonly (EntityIds & { updated_at: string })[],
): Promise<EntityKeyLookup> {
  await addToProject(at, project, memories.length);
  const keys = new Map<string, number>();
  for (const tally of tallyByEntity(memories)) {
    keys.set(tallyKey(tally), await addToEntityCounter(at, project, tally));
  }
  return (entity) => {
    const key = keys.get(tallyKey(entity));
    if (key === undefined) throw new Error(`an entity of type ${entity.type} was not counted`);
    return key;
  };
}

async function addToEntityCounter(
  at: DbContext,
  project: ProjectRef,
  tally: EntityTally,
): Promise<number> {
  const { type, id, count: total_memories, first: created_at, last: updated_at } = tally;
  const values = { project_key: project.key, type, id, total_memories, created_at, updated_at };
  // It usually exists.
  const [there] = await incrementEntity(at, values);
  const entity = there ?? (await insertEntity(at, values))[0];
  if (entity === undefined) throw new Error(`an entity of type ${type} was not counted`);
  const entities = there === undefined ? 1 : 0;
  await addToEntityTotals(at, project, { type, entities, memories: total_memories });
  return entity.key;
}

/** Subtracts memories from the counters. Entities without memories stay. */
export async function subtractFromCounters(
  at: DbContext,
  project: ProjectRef,
  memories: readonly EntityIds[],
): Promise<void> {
  await addToProject(at, project, -memories.length);
  const tallies = tallyByEntity(memories.map((memory) => ({ ...memory, updated_at: '' })));
  for (const some of partsOf(tallies, talliesAtOnce)) await decrementEntities(at, project, some);
  for (const type of entityTypes) {
    const ofType = tallies.filter((tally) => tally.type === type);
    const count = ofType.reduce((sum, tally) => sum + tally.count, 0);
    if (count > 0) await addToEntityTotals(at, project, { type, entities: 0, memories: -count });
  }
}

/** Each has three parameters of one statement. */
const talliesAtOnce = 200;

type EntityTally = EntityTypeAndId & { count: number; first: string; last: string };

function tallyByEntity(memories: readonly (EntityIds & { updated_at: string })[]): EntityTally[] {
  const tallies = new Map<string, EntityTally>();
  for (const memory of memories) {
    const time = memory.updated_at;
    for (const entity of entityRefsOf(memory)) {
      const tally = tallies.get(tallyKey(entity)) ?? {
        ...entity,
        count: 0,
        first: time,
        last: time,
      };
      tally.count += 1;
      if (time < tally.first) tally.first = time;
      if (time > tally.last) tally.last = time;
      tallies.set(tallyKey(entity), tally);
    }
  }
  return [...tallies.values()];
}

function tallyKey({ type, id }: EntityTypeAndId): string {
  return `${type} ${id}`;
}

type CountedEntity = StrictOmit<Insertable<EntityRow>, 'name' | 'metadata'>;

const insertEntity = prepareStatement((db, value: StatementParameters<CountedEntity>) =>
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

/** Returns nothing if the entity does not exist. */
const incrementEntity = prepareStatement((db, value: StatementParameters<CountedEntity>) =>
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

async function decrementEntities(
  { db }: DbContext,
  project: ProjectRef,
  tallies: readonly EntityTally[],
): Promise<void> {
  const rows = tallies.map(
    ({ type, id, count }) =>
      sql`(cast(${type} as text), cast(${id} as text), cast(${count} as integer))`,
  );
  await sql`with gone (type, id, total) as (values ${sql.join(rows)})
    update entities set total_memories = case when total_memories > gone.total
      then total_memories - gone.total else 0 end
    from gone where entities.project_key = ${project.key}
      and entities.type = gone.type and entities.id = gone.id`.execute(db);
}

async function addToProject(at: DbContext, { key }: ProjectRef, count: number): Promise<void> {
  await decrementProject(at, { key, less: -count });
}

const decrementProject = prepareSend(
  (db, value: StatementParameters<{ key: number; less: number }>) =>
    db
      .updateTable('projects')
      .set({ total_memories: decrementedTotal(value('less')) })
      .where('key', '=', value('key')),
);

/** A wrong counter must not become negative. */
function decrementedTotal(count: number) {
  return sql<number>`case when total_memories > ${count} then total_memories - ${count} else 0 end`;
}
