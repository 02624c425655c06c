import { type Insertable, type Selectable, sql } from 'kysely';
import { entityIdField, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { EventType } from '../../../contract/schemas/event.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  EventPatch,
  EventTable,
  Instant,
  ProjectRef,
  StoredEvent,
} from '../../../core/ports/index.ts';
import { mapInTurns, runInTurns } from '../../../turns.ts';
import { beginOf, dayColumn } from '../../sql/day-column.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { insertRows } from '../../sql/insert-rows.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import {
  parametersOf,
  preparePerColumnSet,
  prepareSend,
  prepareStatement,
  type StatementParameters,
} from '../../sql/prepared.ts';
import { insertedColumnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';
import type { EventRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { findProjectsByKey } from '../tenants/projects.ts';
import { deleteOldRows } from './delete-old.ts';

export const eventStatements: StatementsOf<EventTable> = {
  find: { scope: 'project', run: findEvent },
  insert: { scope: 'project', run: insertEvent },
  listIdsOfKey: { scope: 'project', run: listIdsOfKey },
  listUndos: { scope: 'project', run: listUndos },
  insertMany: { scope: 'queue', run: insertEvents },
  update: { scope: 'project', run: updateEvent },
  list: { scope: 'project', run: listEvents },
  listQueued: { scope: 'project', run: listQueued },
  countByType: { scope: 'project', run: countEvents },
  countByDay: { scope: 'project', run: countEventsByDay },
  deleteSettledBefore: { scope: 'queue', run: deleteSettledBefore },
  settleUnfinished: { scope: 'project', run: settleEvents },
};

async function findEvent(
  at: DbContext,
  project: ProjectRef,
  id: string,
): Promise<StoredEvent | null> {
  const [row] = await findRow(at, { project_key: project.key, id });
  return row === undefined ? null : toEvent(row);
}

type EventKey = { project_key: number; id: string };

const findRow = prepareStatement((db, value: StatementParameters<EventKey>) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('project_key', '=', value('project_key'))
    .where('id', '=', value('id')),
);

async function listIdsOfKey(
  { db }: DbContext,
  project: ProjectRef,
  key_id: string,
  since: Instant,
): Promise<string[]> {
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('project_key', '=', project.key)
    .where('key_id', '=', key_id)
    .where('updated_at', '>=', since)
    .execute();
  return rows.map(({ id }) => id);
}

async function listUndos(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('events.id'), ids))
    .where('event_type', '=', 'UNDO')
    .execute();
  return rows.map(({ id }) => id);
}

async function insertEvent(at: DbContext, project: ProjectRef, event: StoredEvent): Promise<void> {
  await insertRow(at, toRow(project, event));
}

const insertRow = prepareSend((db, value: StatementParameters<Insertable<EventRow>>) =>
  db.insertInto('events').values(parametersOf(columns, value)),
);

const columns = insertedColumnNames(tables.events);

/** Skips events whose project has been deleted since. */
async function insertEvents(
  at: DbContext,
  events: readonly { project: ProjectRef; event: StoredEvent }[],
): Promise<void> {
  const keys = events.map(({ project }) => project.key);
  const projects = await findProjectsByKey(at, keys);
  const rows = events
    .filter(({ project }) => projects.has(project.key))
    .map(({ project, event }) => toRow(project, event));
  const one = async (event: Insertable<EventRow>) => {
    await insertRow(at, event);
    return [];
  };
  await insertRows(at, 'events', { rows, one });
}

async function updateEvent(
  at: DbContext,
  project: ProjectRef,
  id: string,
  patch: EventPatch,
): Promise<void> {
  await updateRow(at, { ...toRowPatch(patch), project_key: project.key, id });
}

const updateRow = preparePerColumnSet(
  (db, value: StatementParameters<Selectable<EventRow>>, names) => {
    const changed = names.filter((name) => name !== 'project_key' && name !== 'id');
    return db
      .updateTable('events')
      .set(Object.fromEntries(changed.map((name) => [name, value(name)])))
      .where('project_key', '=', value('project_key'))
      .where('id', '=', value('id'))
      .returning('id');
  },
);

async function listQueued(at: DbContext, project: ProjectRef) {
  return findQueued(at, { project_key: project.key });
}

const findQueued = prepareStatement((db, value: StatementParameters<{ project_key: number }>) =>
  db
    .selectFrom('jobs')
    .innerJoin('events', (join) =>
      join
        .onRef('events.project_key', '=', 'jobs.project_key')
        .onRef('events.id', '=', 'jobs.subject_id'),
    )
    .select(['events.id', ...entityIdFields.map((field) => `events.${field}` as const)])
    .where('jobs.project_key', '=', value('project_key'))
    .where('jobs.kind', '=', 'process_event'),
);

type EventListQuery = Parameters<EventTable['list']>[1];

async function listEvents(
  at: DbContext,
  project: ProjectRef,
  query: EventListQuery,
): Promise<{ results: StoredEvent[]; total: number }> {
  const rows = await eventsAmong(at, project, query)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(query.page_size)
    .offset((query.page - 1) * query.page_size)
    .execute();
  const { total } = await eventsAmong(at, project, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  // One event may hold a megabyte.
  return { results: await runInTurns(mapInTurns(rows, toEvent)), total };
}

function eventsAmong(
  { db }: DbContext,
  project: ProjectRef,
  { event_type, except_event_type, status, entity_type, entity_id, owners = {} }: EventListQuery,
) {
  let events = db.selectFrom('events').where('project_key', '=', project.key);
  if (event_type !== undefined) events = events.where('event_type', '=', event_type);
  if (except_event_type !== undefined) events = events.where('event_type', '<>', except_event_type);
  if (status !== undefined) events = events.where('status', '=', status);
  if (entity_type !== undefined && entity_id !== undefined) {
    events = events.where(entityIdField(entity_type), '=', entity_id);
  }
  for (const field of entityIdFields) {
    const id = owners[field] ?? null;
    if (id !== null) events = events.where(field, '=', id);
  }
  return events;
}

async function countEvents(
  { db }: DbContext,
  project: ProjectRef,
): Promise<Partial<Record<EventType, number>>> {
  const rows = await db
    .selectFrom('events')
    .select((eb) => ['event_type', eb.fn.countAll<number>().as('total')])
    .where('project_key', '=', project.key)
    .groupBy('event_type')
    .execute();
  return Object.fromEntries(rows.map(({ event_type, total }) => [event_type, total]));
}

async function countEventsByDay(
  { db }: DbContext,
  project: ProjectRef,
  { event_type, days }: Parameters<EventTable['countByDay']>[1],
): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('events')
    .where('project_key', '=', project.key)
    .where('event_type', '=', event_type)
    .where('created_at', '>=', beginOf(days))
    .select((eb) => [dayColumn(days).as('day'), eb.fn.countAll<number | string>().as('total')])
    .groupBy(sql`day`)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.day, Number(row.total)]));
}

function deleteSettledBefore(at: DbContext, instant: Instant, limit: number): Promise<number> {
  const settled = sql<boolean>`events.status in ('SUCCEEDED', 'FAILED')`;
  return deleteOldRows(at, 'events', { instant, limit, settled });
}

async function settleEvents(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
  settle: EventPatch,
): Promise<void> {
  // The worker locks the job first, too: in another order, the two could deadlock.
  await db
    .deleteFrom('jobs')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('jobs.subject_id'), ids))
    .execute();
  await db
    .updateTable('events')
    .set(toRowPatch(settle))
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('events.id'), ids))
    .where('status', 'in', ['PENDING', 'RUNNING'])
    .execute();
}

function toRow(project: ProjectRef, event: StoredEvent): Insertable<EventRow> {
  return {
    ...event,
    project_key: project.key,
    payload: toJson(event.payload),
    metadata: event.metadata === null ? null : toJson(event.metadata),
    results: resultsToJson(event.results),
  };
}

function toRowPatch({ payload, metadata, results, ...patch }: EventPatch) {
  return {
    ...patch,
    ...(payload === undefined ? {} : { payload: toJson(payload) }),
    ...(metadata === undefined ? {} : { metadata: metadata === null ? null : toJson(metadata) }),
    ...(results === undefined ? {} : { results: resultsToJson(results) }),
  };
}

function toEvent(row: Selectable<EventRow>): StoredEvent {
  const { position: _, project_key: __, short_id: ___, ...event } = row;
  return {
    ...event,
    payload: fromJson<StoredEvent['payload']>(row.payload),
    metadata: row.metadata === null ? null : fromJson<Record<string, unknown>>(row.metadata),
    results: resultsFromJson(row.results),
  };
}

type StoredResult = StrictOmit<StoredEvent['results'][number], 'data'>;

/** Without `data`, which is the text once more. */
function resultsToJson(results: StoredEvent['results']): string {
  return toJson(results.map(({ data: _, ...result }): StoredResult => result));
}

function resultsFromJson(json: string): StoredEvent['results'] {
  return fromJson<StoredResult[]>(json).map((result) => {
    const { id, event, memory, ...rest } = result;
    return { id, event, memory, data: { memory }, ...rest };
  });
}
