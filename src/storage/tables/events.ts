import type { Insertable, Selectable } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { EventType } from '../../contract/schemas/event.ts';
import type {
  EventPatch,
  EventTable,
  Instant,
  ProjectRef,
  StoredEvent,
} from '../../core/ports/index.ts';
import { fromJson, toJson } from '../json.ts';
import { prepared, preparedFor, preparedToSend, row, type Values } from '../prepared.ts';
import type { EventRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';
import { insertRows } from './insert-rows.ts';
import { findProjectsByKey } from './projects.ts';

export function createEventTable(at: At): EventTable {
  return {
    find: (project, id) => findEvent(at, project, id),
    insert: (project, event) => insertEvent(at, project, event),
    insertMany: (events) => insertEvents(at, events),
    update: (project, id, patch) => updateEvent(at, project, { id, patch }),
    list: (project, query) => listEvents(at, project, query),
    countByType: (project) => countEvents(at, project),
    deleteSettledBefore: (instant, limit) => deleteSettledBefore(at, instant, limit),
    redactByEntity: (project, entity, settle) => redactEvents(at, project, { ...entity, settle }),
  };
}

async function findEvent(at: At, project: ProjectRef, id: string): Promise<StoredEvent | null> {
  const [row] = await findRow(at, { project_key: project.key, id });
  return row === undefined ? null : toEvent(row);
}

type Place = { project_key: number; id: string };

const findRow = prepared((db, value: Values<Place>) =>
  db
    .selectFrom('events')
    .selectAll()
    .where('project_key', '=', value('project_key'))
    .where('id', '=', value('id')),
);

async function insertEvent(at: At, project: ProjectRef, event: StoredEvent): Promise<void> {
  await insertRow(at, toRow(project, event));
}

const insertRow = preparedToSend((db, value: Values<Insertable<EventRow>>) =>
  db.insertInto('events').values(row(columns, value)),
);

const columns = [
  'project_key',
  'id',
  'user_id',
  'agent_id',
  'app_id',
  'run_id',
  'event_type',
  'status',
  'payload',
  'metadata',
  'results',
  'error',
  'graph_status',
  'created_at',
  'updated_at',
  'started_at',
  'completed_at',
  'latency',
] as const;

/** Passes over those whose project was deleted since they happened. */
async function insertEvents(
  at: At,
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
  at: At,
  project: ProjectRef,
  { id, patch }: { id: string; patch: EventPatch },
): Promise<void> {
  await updateRow(at, { ...toRowPatch(patch), project_key: project.key, id });
}

const updateRow = preparedFor((db, value: Values<Selectable<EventRow>>, names) => {
  const changed = names.filter((name) => name !== 'project_key' && name !== 'id');
  return db
    .updateTable('events')
    .set(Object.fromEntries(changed.map((name) => [name, value(name)])))
    .where('project_key', '=', value('project_key'))
    .where('id', '=', value('id'))
    .returning('id');
});

type Query = Parameters<EventTable['list']>[1];

async function listEvents(
  at: At,
  project: ProjectRef,
  query: Query,
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
  return { results: rows.map(toEvent), total };
}

function eventsAmong({ db }: At, project: ProjectRef, { event_type, status }: Query) {
  let events = db.selectFrom('events').where('project_key', '=', project.key);
  if (event_type !== undefined) events = events.where('event_type', '=', event_type);
  if (status !== undefined) events = events.where('status', '=', status);
  return events;
}

async function countEvents(
  { db }: At,
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

/** Project by project, as the index by time has them: one of all events would slow each insert. */
async function deleteSettledBefore({ db }: At, instant: Instant, limit: number): Promise<number> {
  const old = db
    .selectFrom('projects')
    .crossJoin('events')
    .select('events.position')
    .whereRef('events.project_key', '=', 'projects.key')
    .where('events.created_at', '<', instant)
    .where('events.status', 'in', ['SUCCEEDED', 'FAILED'])
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('position', 'in', old)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

async function redactEvents(
  { db }: At,
  project: ProjectRef,
  { type, id, settle }: EntityRef & { settle: EventPatch },
): Promise<void> {
  const ofEntity = db
    .updateTable('events')
    .where('project_key', '=', project.key)
    .where(entityIdField(type), '=', id);
  await ofEntity.set(toRowPatch(settle)).where('status', 'in', ['PENDING', 'RUNNING']).execute();
  await ofEntity.set({ payload: toJson({}), results: toJson([]) }).execute();
}

function toRow(project: ProjectRef, event: StoredEvent): Insertable<EventRow> {
  return {
    ...event,
    project_key: project.key,
    payload: toJson(event.payload),
    metadata: event.metadata === null ? null : toJson(event.metadata),
    results: toJson(event.results),
  };
}

function toRowPatch({ payload, metadata, results, ...patch }: EventPatch) {
  return {
    ...patch,
    ...(payload === undefined ? {} : { payload: toJson(payload) }),
    ...(metadata === undefined ? {} : { metadata: metadata === null ? null : toJson(metadata) }),
    ...(results === undefined ? {} : { results: toJson(results) }),
  };
}

function toEvent(row: Selectable<EventRow>): StoredEvent {
  const { position: _, project_key: __, ...event } = row;
  return {
    ...event,
    payload: fromJson<StoredEvent['payload']>(row.payload),
    metadata: row.metadata === null ? null : fromJson<Record<string, unknown>>(row.metadata),
    results: fromJson<StoredEvent['results']>(row.results),
  };
}
