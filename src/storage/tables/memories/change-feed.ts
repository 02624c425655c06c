import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type { HistoryTable, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';
import { toChange } from './history-row.ts';

/** By position from the cursor on, which is near the end; by the index of a named entity. */
export async function listAfter(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { ids, after, until, since, limit }: Parameters<HistoryTable['listAfter']>[1],
): ReturnType<HistoryTable['listAfter']> {
  const isOfEntity = entityIdFields.some((field) => ids[field] !== undefined && ids[field] !== '*');
  const key = sql.ref<number>('history.project_key');
  let changes = db
    .selectFrom('history')
    .selectAll()
    .where(isOfEntity ? key : dialect.unindexed(key), '=', project.key)
    .where('position', '>', after)
    .where('position', '<=', until)
    .where((eb) => eb.not(isHidden(eb, project)));
  for (const field of entityIdFields) {
    const id = ids[field];
    if (id === '*') changes = changes.where(field, 'is not', null);
    else if (id !== undefined) changes = changes.where(field, '=', id);
  }
  if (since !== null) changes = changes.where('updated_at', '>=', since);
  const rows = await changes.orderBy('position').limit(limit).execute();
  return rows.map((row) => ({ ...toChange(row), position: row.position }));
}

/** Whether a memory waits for a review, or was never anything else. */
function isHidden(
  { exists, and, not, selectFrom }: ExpressionBuilder<DatabaseSchema, 'history'>,
  project: ProjectRef,
): Expression<SqlBool> {
  const current = selectFrom('memories')
    .select('memories.id')
    .where('memories.project_key', '=', project.key)
    .whereRef('memories.id', '=', 'history.memory_id');
  const ended = selectFrom('memory_versions')
    .select('memory_versions.id')
    .where('memory_versions.project_key', '=', project.key)
    .whereRef('memory_versions.id', '=', 'history.memory_id');
  const waits = exists(current.where('memories.status', '<>', 'active'));
  const waited = exists(ended.where('memory_versions.status', '<>', 'active'));
  const wasActive = exists(ended.where('memory_versions.status', '=', 'active'));
  return waits.or(and([not(exists(current)), waited, not(wasActive)]));
}

/**
 * A file holds the changes of all its projects in one order. On a server, writers of a project take
 * turns, so that what is not committed yet comes later.
 */
export async function findLastPosition(
  { db, dialect }: DbContext,
  project: ProjectRef,
): Promise<number> {
  const all = db.selectFrom('history').select((eb) => eb.fn.max('position').as('last'));
  const own = dialect.isServer ? all.where('project_key', '=', project.key) : all;
  const { last } = await own.executeTakeFirstOrThrow();
  return Number(last ?? 0);
}
