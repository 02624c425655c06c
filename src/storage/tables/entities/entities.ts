import { type Selectable, sql } from 'kysely';
import {
  type EntityIds,
  type EntityType,
  entityTypes,
  typedIdFields,
} from '../../../contract/schemas/entity.ts';
import type { EntityTable, ProjectRef, StoredEntity } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { FilterDialect, SqlCondition } from '../../sql/dialect.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import type { EntityRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { addToEntityTotals, findEntityTotals } from './entity-totals.ts';

export const entityStatements: StatementsOf<EntityTable> = {
  create: { scope: 'project', run: createEntity },
  find: { scope: 'project', run: findEntity },
  list: { scope: 'project', run: listEntities },
  countWithMemories: { scope: 'project', run: countWithMemories },
  delete: { scope: 'project', run: deleteEntity },
};

async function createEntity(
  at: DbContext,
  project: ProjectRef,
  entity: NewEntity,
): Promise<StoredEntity> {
  const metadata = toJson(entity.metadata);
  const newRow = await at.db
    .insertInto('entities')
    .values({ ...entity, metadata, project_key: project.key, total_memories: 0 })
    .onConflict((conflict) => conflict.columns(['project_key', 'type', 'id']).doNothing())
    .returning('type')
    .executeTakeFirst();
  if (newRow === undefined) await completeEntity(at, project, entity);
  else await addToEntityTotals(at, project, { type: newRow.type, entities: 1, memories: 0 });
  const row = await entitiesAmong(at, project, entity).selectAll().executeTakeFirstOrThrow();
  return toEntity(row);
}

type NewEntity = Parameters<EntityTable['create']>[1];

/** An entity without a name of its own is called by its id. */
async function completeEntity(
  { db }: DbContext,
  project: ProjectRef,
  { type, id, name, updated_at, ...entity }: NewEntity,
): Promise<void> {
  const none = toJson({});
  const metadata = toJson(entity.metadata);
  await db
    .updateTable('entities')
    .set({
      name: sql`case when name = id then ${name} else name end`,
      metadata: sql`case when metadata = ${none} then ${metadata} else metadata end`,
      updated_at,
    })
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where('id', '=', id)
    .where(
      sql<boolean>`((name = id and ${name} <> id) or (metadata = ${none} and ${metadata} <> ${none}))`,
    )
    .execute();
}

async function findEntity(
  at: DbContext,
  project: ProjectRef,
  type: EntityType,
  id: string,
): Promise<StoredEntity | null> {
  const row = await entitiesAmong(at, project, { type, id }).selectAll().executeTakeFirst();
  return row === undefined ? null : toEntity(row);
}

type EntityListQuery = Parameters<EntityTable['list']>[1];

async function listEntities(
  at: DbContext,
  project: ProjectRef,
  query: EntityListQuery,
): Promise<{ results: StoredEntity[]; totals: Record<EntityType, number> }> {
  const { sort = 'created_at' } = query;
  const entityRows = entitiesAmong(at, project, query).selectAll();
  // `lower` knows ASCII alone in both engines, as the column is compared by its bytes.
  const sorted =
    sort === 'name'
      ? entityRows.orderBy(sql`lower(name)`).orderBy('key')
      : entityRows.orderBy(sort, 'desc').orderBy('key', 'desc');
  const rows = await sorted
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute();
  return { results: rows.map(toEntity), totals: await countByType(at, project, query) };
}

async function countByType(
  at: DbContext,
  project: ProjectRef,
  query: EntityListQuery,
): Promise<Record<EntityType, number>> {
  const counts = { user: 0, agent: 0, app: 0, run: 0 } satisfies Record<EntityType, number>;
  for (const type of query.type === undefined ? entityTypes : [query.type]) {
    counts[type] = await countOfType(at, project, { ...query, type });
  }
  return counts;
}

async function countOfType(
  at: DbContext,
  project: ProjectRef,
  query: EntityListQuery & { type: EntityType },
): Promise<number> {
  const { id, text, created_until, only } = query;
  if ((id ?? text ?? created_until ?? only) === undefined)
    return (await findEntityTotals(at, project, query.type)).entities;
  const { count } = await entitiesAmong(at, project, query)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Entities stay when their last memory is deleted. */
async function countWithMemories(
  at: DbContext,
  project: ProjectRef,
  type: EntityType,
): Promise<number> {
  const { count } = await entitiesAmong(at, project, { type })
    .where('total_memories', '>', 0)
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function deleteEntity(
  at: DbContext,
  project: ProjectRef,
  type: EntityType,
  id: string,
): Promise<void> {
  const gone = await at.db
    .deleteFrom('entities')
    .where('project_key', '=', project.key)
    .where('type', '=', type)
    .where('id', '=', id)
    .returning('total_memories')
    .executeTakeFirst();
  if (gone === undefined) return;
  await addToEntityTotals(at, project, { type, entities: -1, memories: -gone.total_memories });
}

function entitiesAmong(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { type, id, text, created_until, only }: Partial<EntityListQuery>,
) {
  return db
    .selectFrom('entities')
    .where('project_key', '=', project.key)
    .$if(type !== undefined, (query) => query.where('type', '=', type as EntityType))
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .$if(text !== undefined, (query) => query.where(isNamed(dialect.filter, text as string)))
    .$if(created_until !== undefined, (query) =>
      query.where('created_at', '<=', created_until as string),
    )
    .$if(only !== undefined, (query) => query.where(isAmong(only as Partial<EntityIds>)));
}

function isAmong(only: Partial<EntityIds>): SqlCondition {
  const each = typedIdFields.map(
    ({ type, field }) => sql`(type = ${type} and id = ${only[field] ?? null})`,
  );
  return sql`(${sql.join(each, sql` or `)})`;
}

/** Most are called by their id, which then is read once. */
function isNamed({ icontains }: FilterDialect, text: string): SqlCondition {
  const [id, name] = [sql.ref('entities.id'), sql.ref('entities.name')];
  return sql`(${icontains(id, text)} or (${name} <> ${id} and ${icontains(name, text)}))`;
}

export function toEntity(row: Selectable<EntityRow>): StoredEntity {
  const { id, type, name, total_memories, created_at, updated_at } = row;
  const metadata = fromJson<Record<string, unknown>>(row.metadata);
  return { id, type, name, metadata, total_memories, created_at, updated_at };
}
