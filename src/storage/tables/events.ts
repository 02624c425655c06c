import type { Insertable, Selectable, Updateable } from 'kysely';
import { entityIdField } from '../../contract/schemas/entity.ts';
import type { EventPatch, EventTable, Project, StoredEvent } from '../../core/ports.ts';
import { fromJson, toJson } from '../json.ts';
import type { EventRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';

export function createEventTable(at: At): EventTable {
  return {
    find: (project, id) => findEvent(at, project, id),
    insert: (project, event) => insertEvent(at, project, event),
    update: (project, id, patch) => updateEvent(at, project, { id, patch }),
    list: (project, query) => listEvents(at, project, query),
    redactByEntity: (project, entity, settle) => redactEvents(at, project, { ...entity, settle }),
  };
}

async function findEvent({ db }: At, project: Project, id: string): Promise<StoredEvent | null> {
  const row = await db
    .selectFrom('events')
    .selectAll()
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toEvent(row);
}

async function insertEvent({ db }: At, project: Project, event: StoredEvent): Promise<void> {
  await db.insertInto('events').values(toRow(project, event)).execute();
}

async function updateEvent(
  { db }: At,
  project: Project,
  { id, patch }: { id: string; patch: EventPatch },
): Promise<void> {
  await db
    .updateTable('events')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .execute();
}

type Query = Parameters<EventTable['list']>[1];

async function listEvents(
  at: At,
  project: Project,
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

function eventsAmong({ db }: At, project: Project, { event_type, status }: Query) {
  let events = db.selectFrom('events').where('project_key', '=', project.key);
  if (event_type !== undefined) events = events.where('event_type', '=', event_type);
  if (status !== undefined) events = events.where('status', '=', status);
  return events;
}

async function redactEvents(
  { db }: At,
  project: Project,
  { type, id, settle }: EntityRef & { settle: EventPatch },
): Promise<void> {
  const ofEntity = db
    .updateTable('events')
    .where('project_key', '=', project.key)
    .where(entityIdField(type), '=', id);
  await ofEntity.set(toRowPatch(settle)).where('status', 'in', ['PENDING', 'RUNNING']).execute();
  await ofEntity.set({ payload: toJson({}), results: toJson([]) }).execute();
}

function toRow(project: Project, event: StoredEvent): Insertable<EventRow> {
  return {
    ...event,
    project_key: project.key,
    payload: toJson(event.payload),
    metadata: event.metadata === null ? null : toJson(event.metadata),
    results: toJson(event.results),
  };
}

function toRowPatch({ metadata, results, ...patch }: EventPatch): Updateable<EventRow> {
  return {
    ...patch,
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
