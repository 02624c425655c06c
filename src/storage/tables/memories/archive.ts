import { type Insertable, sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  ArchiveTable,
  ProjectRef,
  RecordedChange,
  RowRange,
  Selection,
  StoredEntity,
} from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { toJson } from '../../sql/json.ts';
import type { EntityRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { toEntity } from '../entities/entities.ts';
import { addToEntityTotals } from '../entities/entity-totals.ts';
import { addToCounters } from '../entities/memory-counters.ts';
import { toChange } from './history-row.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';
import { insertCountedRows, type MemoryInsert } from './memory-writes.ts';
import { changedSince, unchangedSince } from './past-rows.ts';
import { versionsWithText } from './version-texts.ts';
import { toVersion } from './versions.ts';

export const archiveStatements: StatementsOf<ArchiveTable> = {
  listMemories: { scope: 'project', run: listMemoriesAfter },
  listMemoriesAsOf: { scope: 'project', run: listMemoriesAsOf },
  listEntities: { scope: 'project', run: listEntitiesAfter },
  listOrphanedHistory: { scope: 'project', run: listOrphansAfter },
  listOrphanedVersions: { scope: 'project', run: listOrphanedVersions },
  listHistory: { scope: 'project', run: listHistory },
  listFeedback: { scope: 'project', run: listFeedback },
  listForeignIds: { scope: 'queue', run: findInOtherProjects },
  putEntities: { scope: 'project', run: putEntities },
  restoreMemories: { scope: 'project', run: restoreMemories },
};

/** Rows of the project, in the order of the primary key. */
function inPrimaryKeyOrder(
  { dialect }: DbContext,
  table: 'memories' | 'memory_versions' | 'entities' | 'history',
  project: ProjectRef,
): SqlCondition {
  return sql`${dialect.unindexed(sql.ref(`${table}.project_key`))} = ${project.key}`;
}

/** Holds for rows whose memory is gone from the project. */
function isOfNoMemory(table: 'history' | 'memory_versions', id: string): SqlCondition {
  const [project, memory] = [sql.ref(`${table}.project_key`), sql.ref(`${table}.${id}`)];
  return sql`not exists (select 1 from memories
    where memories.project_key = ${project} and memories.id = ${memory})`;
}

async function listMemoriesAfter(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { after, limit }: RowRange,
) {
  const rows = await at.db
    .selectFrom('memories')
    .select(memoryColumns)
    .where(inPrimaryKeyOrder(at, 'memories', project))
    .where('position', '>', after)
    .where(selectionSql(selection, at.dialect.filter))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toStoredMemory);
}

async function listMemoriesAsOf(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { hasChanged, after, limit, ...time }: Parameters<ArchiveTable['listMemoriesAsOf']>[2],
) {
  const orderColumn = sql.ref<number>(hasChanged ? 'memories.key' : 'memories.position');
  const query = {
    ...time,
    where: selectionSql(selection, at.dialect.filter),
    inProject: inPrimaryKeyOrder(at, 'memories', project),
  };
  const held = hasChanged ? changedSince(at, project, query) : unchangedSince(at, project, query);
  const rows = await held
    .where(orderColumn, '>', after)
    .select([...memoryColumns, 'recorded_from'])
    .select(orderColumn.as('place'))
    .orderBy(orderColumn)
    .limit(limit)
    .execute();
  return rows.map(({ place: position, recorded_from, ...row }) => {
    return { ...toStoredMemory(row), recorded_from, position };
  });
}

async function listEntitiesAfter(at: DbContext, project: ProjectRef, { after, limit }: RowRange) {
  const rows = await at.db
    .selectFrom('entities')
    .selectAll()
    .where(inPrimaryKeyOrder(at, 'entities', project))
    .where('key', '>', after)
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toEntity(row), position: row.key }));
}

async function listOrphansAfter(
  at: DbContext,
  project: ProjectRef,
  ids: Partial<EntityIds>,
  { after, limit }: RowRange,
) {
  const ownerFields = entityIdFields.filter((field) => ids[field] !== undefined);
  const rows = await at.db
    .selectFrom('history')
    .selectAll()
    .where(inPrimaryKeyOrder(at, 'history', project))
    .where('position', '>', after)
    .where((eb) => eb.and(ownerFields.map((field) => eb(field, '=', ids[field] ?? null))))
    .where(isOfNoMemory('history', 'memory_id'))
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toChange(row), position: row.position }));
}

async function listOrphanedVersions(
  at: DbContext,
  project: ProjectRef,
  ids: Partial<EntityIds>,
  { after, limit }: RowRange,
) {
  const ownerFields = entityIdFields.filter((field) => ids[field] !== undefined);
  const rows = await at.db
    .selectFrom(versionsWithText(at.db).as('memory_versions'))
    .selectAll()
    .where(inPrimaryKeyOrder(at, 'memory_versions', project))
    .where('key', '>', after)
    .where((eb) => eb.and(ownerFields.map((field) => eb(field, '=', ids[field] ?? null))))
    .where(isOfNoMemory('memory_versions', 'id'))
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...toVersion(row), position: row.key }));
}

async function listHistory(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
) {
  const rows = await db
    .selectFrom('history')
    .selectAll()
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('history.memory_id'), memory_ids))
    .orderBy('position')
    .execute();
  return rows.map(toChange);
}

async function listFeedback(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
) {
  return db
    .selectFrom('feedback')
    .select(['id', 'memory_id', 'feedback', 'feedback_reason', 'created_at'])
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('feedback.memory_id'), memory_ids))
    .execute();
}

/** Project by project, because the index by id begins with the project. */
async function findInOtherProjects(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
): Promise<string[]> {
  if (memory_ids.length === 0) return [];
  const others = db.selectFrom('projects').select('key').where('key', '<>', project.key);
  const rows = await db
    .selectFrom('memories')
    .select('id')
    .where('project_key', 'in', others)
    .where(dialect.filter.isIn(sql.ref('memories.id'), memory_ids))
    .execute();
  return rows.map(({ id }) => id);
}

/** Entities per statement. */
const chunkSize = 100;

async function putEntities(
  at: DbContext,
  project: ProjectRef,
  entities: readonly StrictOmit<StoredEntity, 'total_memories'>[],
): Promise<void> {
  for (const some of partsOf(entities, chunkSize)) {
    const rows = some.map((entity) => ({
      ...entity,
      project_key: project.key,
      metadata: toJson(entity.metadata),
      total_memories: 0,
    }));
    await upsertEntities(at, project, rows);
  }
}

/** In two statements, because only an insert tells which of them are new. */
async function upsertEntities(
  at: DbContext,
  project: ProjectRef,
  rows: readonly Insertable<EntityRow>[],
): Promise<void> {
  const newRow = await at.db
    .insertInto('entities')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['project_key', 'type', 'id']).doNothing())
    .returning('type')
    .execute();
  for (const { type } of newRow)
    await addToEntityTotals(at, project, { type, entities: 1, memories: 0 });
  if (newRow.length === rows.length) return;
  await at.db
    .insertInto('entities')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['project_key', 'type', 'id']).doUpdateSet({
        name: sql`excluded.name`,
        metadata: sql`excluded.metadata`,
        created_at: sql`excluded.created_at`,
        updated_at: sql`excluded.updated_at`,
      }),
    )
    .execute();
}

/** When a memory was stored: backdated ones later than their date, updated ones earlier. */
async function restoreMemories(
  at: DbContext,
  project: ProjectRef,
  memories: MemoryInsert['memories'],
  change?: RecordedChange,
): Promise<void> {
  if (memories.length === 0) return;
  const dated = memories.map((memory) => {
    const { created_at, updated_at } = memory;
    return { ...memory, updated_at: created_at < updated_at ? created_at : updated_at };
  });
  const keyOf = await addToCounters(at, project, dated);
  await insertCountedRows(at, project, { memories, change, keyOf });
}
