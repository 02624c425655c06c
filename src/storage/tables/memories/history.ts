import { type Insertable, sql } from 'kysely';
import { entityIdFields } from '../../../contract/schemas/entity.ts';
import type {
  DayCount,
  HistoryTable,
  ProjectRef,
  SourceOfText,
  StoredHistoryEntry,
  StoredMemory,
} from '../../../core/ports/index.ts';
import { beginOf, dayColumn } from '../../sql/day-column.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { insertRows } from '../../sql/insert-rows.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import {
  parametersOf,
  prepareSend,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';
import { insertedColumnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';
import type { HistoryRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { toChange } from './history-row.ts';

/** Loaded with the first reader of changes alone. */
const changeFeed = () => import('./change-feed.ts');

export const historyStatements: StatementsOf<HistoryTable> = {
  insert: { scope: 'project', run: insertChanges },
  list: { scope: 'project', run: listChanges },
  listNewest: { scope: 'project', run: listNewest },
  listAfter: { scope: 'project', run: async (...args) => (await changeFeed()).listAfter(...args) },
  lastPosition: {
    scope: 'project',
    run: async (...args) => (await changeFeed()).findLastPosition(...args),
  },
  countByDay: { scope: 'project', run: countChangesByDay },
  findSource: { scope: 'project', run: findSource },
  deleteSources: { scope: 'project', run: deleteSources },
};

async function insertChanges(
  at: DbContext,
  project: ProjectRef,
  entries: readonly StoredHistoryEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({
    ...entry,
    project_key: project.key,
    input: toJson(entry.input),
    metadata: entry.metadata === null ? null : toJson(entry.metadata),
    categories: toJson(entry.categories),
  }));
  const one = async (entry: Insertable<HistoryRow>) => {
    await insertRow(at, entry);
    return [];
  };
  await insertRows(at, 'history', { rows, one });
}

const insertRow = prepareSend((db, value: StatementParameters<Insertable<HistoryRow>>) =>
  db.insertInto('history').values(parametersOf(columns, value)),
);

const columns = insertedColumnNames(tables.history);

async function listChanges(
  { db }: DbContext,
  project: ProjectRef,
  memory_id: string,
): Promise<StoredHistoryEntry[]> {
  const rows = await db
    .selectFrom('history')
    .selectAll()
    .where('project_key', '=', project.key)
    .where('memory_id', '=', memory_id)
    .orderBy('position')
    .execute();
  return rows.map(toChange);
}

type HistoryPageQuery = Parameters<HistoryTable['listNewest']>[1];

/** Finds the page in an index first, because a sort of whole rows takes ten times as long. */
async function listNewest(
  at: DbContext,
  project: ProjectRef,
  { ids, page, page_size }: HistoryPageQuery,
): Promise<{ results: StoredHistoryEntry[]; total: number }> {
  const changes = changesOf(at, project, ids);
  const rows = await changes
    .select('position')
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  const { total } = await changes
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const positions = rows.map(({ position }) => position);
  return { results: await readChanges(at, project, positions), total: Number(total) };
}

function changesOf({ db }: DbContext, project: ProjectRef, ids: HistoryPageQuery['ids']) {
  const waiting = db
    .selectFrom('memories')
    .select('id')
    .where('project_key', '=', project.key)
    .where('status', '<>', 'active');
  let changes = db
    .selectFrom('history')
    .where('project_key', '=', project.key)
    .where('memory_id', 'not in', waiting);
  for (const field of entityIdFields) {
    const id = ids[field];
    if (id === '*') changes = changes.where(field, 'is not', null);
    else if (id !== undefined) changes = changes.where(field, '=', id);
  }
  return changes;
}

/** Counts the newest only, because a project may have millions, and SQLite reads in this thread. */
async function countChangesByDay(
  at: DbContext,
  project: ProjectRef,
  { days, limit }: Parameters<HistoryTable['countByDay']>[1],
): Promise<DayCount[]> {
  const everybody = {
    user_id: undefined,
    agent_id: undefined,
    app_id: undefined,
    run_id: undefined,
  };
  const newest = changesOf(at, project, everybody)
    .select(['created_at', 'event', 'categories'])
    .orderBy('position', 'desc')
    .limit(limit);
  const rows = await at.db
    .selectFrom(newest.as('newest'))
    .where('created_at', '>=', beginOf(days))
    .select((eb) => [
      dayColumn(days).as('day'),
      'event',
      'categories',
      eb.fn.countAll<number | string>().as('count'),
    ])
    .groupBy([sql`day`, 'event', 'categories'])
    .execute();
  return rows.map(({ day, event, categories, count }) => ({
    day,
    event,
    categories: fromJson<string[]>(categories),
    count: Number(count),
  }));
}

/** Newest first. */
async function readChanges(
  { db, dialect }: DbContext,
  project: ProjectRef,
  positions: readonly number[],
): Promise<StoredHistoryEntry[]> {
  if (positions.length === 0) return []; // PostgreSQL can't tell the type of an empty list
  const rows = await db
    .selectFrom('history')
    .selectAll()
    // By their positions and not by an index of the project, which reads all of it.
    .where(dialect.unindexed(sql.ref('history.project_key')), '=', project.key)
    .where(dialect.filter.isIn(sql.ref('history.position'), positions))
    .orderBy('position', 'desc')
    .execute();
  return rows.map(toChange);
}

async function findSource(
  at: DbContext,
  project: ProjectRef,
  { id, memory }: Pick<StoredMemory, 'id' | 'memory'>,
): Promise<SourceOfText | null> {
  const [row] = await findSourceRow(at, { project_key: project.key, id, memory });
  return row === undefined ? null : { ...row, input: fromJson<SourceOfText['input']>(row.input) };
}

const findSourceRow = prepareStatement(
  (db, value: StatementParameters<{ project_key: number; id: string; memory: string }>) =>
    db
      .selectFrom('history')
      .select(['input', 'run_id', 'created_at'])
      .where('project_key', '=', value('project_key'))
      .where('memory_id', '=', value('id'))
      .where('new_memory', '=', value('memory'))
      .where('input', '<>', toJson([]))
      .orderBy('position', 'desc')
      .limit(1),
);

async function deleteSources(
  { db, dialect }: DbContext,
  project: ProjectRef,
  memory_ids: readonly string[],
): Promise<void> {
  await db
    .updateTable('history')
    .set({ input: toJson([]) })
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('history.memory_id'), memory_ids))
    .where('input', '<>', toJson([]))
    .execute();
}
