import type { Selectable } from 'kysely';
import { type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import type { EntityTable, ProjectRef, StoredEntity } from '../../core/ports/index.ts';
import { fromJson } from '../json.ts';
import type { EntityRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';
import { addToTotals, findTotals } from './entity-totals.ts';

export function createEntityTable(at: At): EntityTable {
  return {
    find: (project, type, id) => findEntity(at, project, { type, id }),
    list: async (project, query) => ({
      results: await listEntities(at, project, query),
      totals: await countByType(at, project, query),
    }),
    delete: (project, type, id) => deleteEntity(at, project, { type, id }),
  };
}

async function findEntity(
  at: At,
  project: ProjectRef,
  { type, id }: EntityRef,
): Promise<StoredEntity | null> {
  const row = await entitiesAmong(at, project, { type, id }).selectAll().executeTakeFirst();
  return row === undefined ? null : toEntity(row);
}

type Query = Parameters<EntityTable['list']>[1];

/** Newest first, as memories are. */
async function listEntities(at: At, project: ProjectRef, query: Query): Promise<StoredEntity[]> {
  const rows = await entitiesAmong(at, project, query)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('key', 'desc')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute();
  return rows.map(toEntity);
}

async function countByType(
  at: At,
  project: ProjectRef,
  query: Query,
): Promise<Record<EntityType, number>> {
  const counts = { user: 0, agent: 0, app: 0, run: 0 } satisfies Record<EntityType, number>;
  for (const type of query.type === undefined ? entityTypes : [query.type]) {
    counts[type] = await countOfType(at, project, { type, id: query.id });
  }
  return counts;
}

async function countOfType(
  at: At,
  project: ProjectRef,
  { type, id }: { type: EntityType; id: string | undefined },
): Promise<number> {
  if (id === undefined) return (await findTotals(at, project, type)).entities;
  return (await findEntity(at, project, { type, id })) === null ? 0 : 1;
}

async function deleteEntity(at: At, project: ProjectRef, { type, id }: EntityRef): Promise<void> {
  const gone = await at.db
    .deleteFrom('entities')
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where('id', '=', id)
    .returning('total_memories')
    .executeTakeFirst();
  if (gone === undefined) return;
  await addToTotals(at, project, { type, entities: -1, memories: -gone.total_memories });
}

function entitiesAmong(
  { db }: At,
  project: ProjectRef,
  { type, id }: { type?: EntityType | undefined; id?: string | undefined },
) {
  return db
    .selectFrom('entities')
    .where('project_key', '=', project.key)
    .$if(type !== undefined, (query) => query.where('type', '=', type as EntityType))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string));
}

export function toEntity(row: Selectable<EntityRow>): StoredEntity {
  const { id, type, name, total_memories, created_at, updated_at } = row;
  const metadata = fromJson<Record<string, unknown>>(row.metadata);
  return { id, type, name, metadata, total_memories, created_at, updated_at };
}
