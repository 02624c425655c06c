import type { Selectable } from 'kysely';
import { type EntityType, entityTypes } from '../../contract/schemas/entity.ts';
import type { EntityTable, Project, StoredEntity } from '../../core/ports.ts';
import { fromJson } from '../json.ts';
import type { EntityRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';

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
  project: Project,
  { type, id }: EntityRef,
): Promise<StoredEntity | null> {
  const row = await entitiesAmong(at, project, { type, id }).selectAll().executeTakeFirst();
  return row === undefined ? null : toEntity(row);
}

type Query = Parameters<EntityTable['list']>[1];

/** Newest first, as memories are. */
async function listEntities(at: At, project: Project, query: Query): Promise<StoredEntity[]> {
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
  project: Project,
  query: Query,
): Promise<Record<EntityType, number>> {
  const rows = await entitiesAmong(at, project, query)
    .select((eb) => ['type', eb.fn.countAll<number>().as('total')])
    .groupBy('type')
    .execute();
  const totalOf = (type: EntityType) => rows.find((row) => row.type === type)?.total ?? 0;
  const [user, agent, app, run] = entityTypes;
  return {
    [user]: totalOf(user),
    [agent]: totalOf(agent),
    [app]: totalOf(app),
    [run]: totalOf(run),
  };
}

async function deleteEntity({ db }: At, project: Project, { type, id }: EntityRef): Promise<void> {
  await db
    .deleteFrom('entities')
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where('id', '=', id)
    .execute();
}

function entitiesAmong(
  { db }: At,
  project: Project,
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
