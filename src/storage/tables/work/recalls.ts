import { type Insertable, type Selectable, sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type {
  AskedQuestion,
  DayStart,
  Instant,
  ProjectRef,
  RecallQuery,
  RecallTable,
  StoredRecall,
} from '../../../core/ports/index.ts';
import { partsOf } from '../../../turns.ts';
import { beginOf, dayColumn } from '../../sql/day-column.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import type { RecallRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { findProjectsByKey } from '../tenants/projects.ts';
import { deleteOldRows } from './delete-old.ts';
import { idEndOf, packHits, unpackHits } from './packed-hits.ts';

export const recallStatements: StatementsOf<RecallTable> = {
  find: { scope: 'project', run: findRecall },
  list: { scope: 'project', run: listRecalls },
  sumTokensByDay: { scope: 'project', run: sumTokensByDay },
  insertMany: { scope: 'queue', run: insertRecalls },
  deleteBefore: { scope: 'queue', run: deleteBefore },
};

async function findRecall(
  at: DbContext,
  project: ProjectRef,
  id: string,
): Promise<StoredRecall | null> {
  const rows = await at.db
    .selectFrom('recalls')
    .selectAll()
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .execute();
  const [recall] = await readRows(at, project, rows);
  return recall ?? null;
}

async function listRecalls(
  at: DbContext,
  project: ProjectRef,
  query: RecallQuery,
): Promise<{ results: StoredRecall[]; total: number }> {
  const rows = await recallsAmong(at, project, query)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute();
  const { total } = await recallsAmong(at, project, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { results: await readRows(at, project, rows), total };
}

function recallsAmong({ db }: DbContext, project: ProjectRef, query: RecallQuery) {
  const { operation, from, to } = query;
  let recalls = db.selectFrom('recalls').where('project_key', '=', project.key);
  for (const field of entityIdFields) {
    const id = query[field];
    if (id !== undefined) recalls = recalls.where(field, '=', id);
  }
  if (operation !== undefined) recalls = recalls.where('operation', '=', operation);
  if (from !== undefined) recalls = recalls.where('created_at', '>=', from);
  if (to !== undefined) recalls = recalls.where('created_at', '<=', to);
  return recalls;
}

async function sumTokensByDay(
  { db }: DbContext,
  project: ProjectRef,
  days: readonly DayStart[],
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('recalls')
    .where('project_key', '=', project.key)
    .where('created_at', '>=', beginOf(days))
    .select((eb) => [dayColumn(days).as('day'), eb.fn.sum<number | string>('tokens').as('total')])
    .groupBy(sql`day`)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.day, Number(row.total)]));
}

/** Skips recalls whose project has been deleted since. */
async function insertRecalls(
  at: DbContext,
  recalls: readonly { project: ProjectRef; recall: StoredRecall }[],
): Promise<void> {
  const keys = recalls.map(({ project }) => project.key);
  const projects = await findProjectsByKey(at, keys);
  const rows = recalls
    .filter(({ project }) => projects.has(project.key))
    .map(({ project, recall }) => toRow(project, recall));
  for (const some of partsOf(rows, rowsAtOnce))
    await at.db.insertInto('recalls').values(some).execute();
}

/** A statement has room for the columns of so many. */
const rowsAtOnce = 200;

function deleteBefore(at: DbContext, instant: Instant, limit: number): Promise<number> {
  return deleteOldRows(at, 'recalls', { instant, limit });
}

function toRow(
  project: ProjectRef,
  { asked, hits, ...recall }: StoredRecall,
): Insertable<RecallRow> {
  return { ...recall, project_key: project.key, asked: toJson(asked), hits: packHits(hits) };
}

async function readRows(
  at: DbContext,
  project: ProjectRef,
  rows: readonly Selectable<RecallRow>[],
): Promise<StoredRecall[]> {
  const packed = rows.map(({ hits }) => unpackHits(hits));
  const ids = await findIdsByEnd(at, project, packed.flat());
  return rows.map((row, index) => {
    const { position: _, project_key: __, short_id: ___, asked, hits: ____, ...recall } = row;
    const hits = (packed[index] ?? []).flatMap(({ end, score }) => {
      const id = ids.get(end);
      return id === undefined ? [] : [{ id, score }];
    });
    return { ...recall, asked: fromJson<AskedQuestion>(asked), hits };
  });
}

/** The ids of memories by their last digits; of deleted ones too, whose history is left. */
async function findIdsByEnd(
  { db, dialect }: DbContext,
  project: ProjectRef,
  hits: readonly { end: string }[],
): Promise<Map<string, string>> {
  if (hits.length === 0) return new Map();
  const short_ids = [...new Set(hits.map(({ end }) => end.slice(-shortIdChars)))];
  const memories = db
    .selectFrom('memories')
    .select('id')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('memories.short_id'), short_ids));
  const deleted = db
    .selectFrom('history')
    .select('memory_id as id')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('history.short_id'), short_ids));
  const rows = await memories.union(deleted).execute();
  return new Map(rows.map(({ id }) => [idEndOf(id), id]));
}

const shortIdChars = 8;
