import type { Insertable, Selectable, Updateable } from 'kysely';
import { entityIdField, entityIdFields } from '../../contract/schemas/entity.ts';
import type { ExportTable, Project, StoredExport } from '../../core/ports.ts';
import { fromJson, toJson, toSortedJson } from '../json.ts';
import type { ExportRow } from '../schema.ts';
import type { At } from './at.ts';
import type { EntityRef } from './entity-keys.ts';

export function createExportTable(at: At): ExportTable {
  return {
    find: (project, id) => findExport(at, project, id),
    findLatest: (project, query) => findLatest(at, project, query),
    insert: (project, record) => insertExport(at, project, record),
    update: (project, id, patch) => updateExport(at, project, { id, patch }),
    deleteByEntity: (project, type, id) => deleteExports(at, project, { type, id }),
  };
}

async function findExport(at: At, project: Project, id: string): Promise<StoredExport | null> {
  const row = await exportsOf(at, project).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toExport(row);
}

type Query = Parameters<ExportTable['findLatest']>[1];

/** What the query leaves out may be anything. */
async function findLatest(at: At, project: Project, query: Query): Promise<StoredExport | null> {
  let exports = exportsOf(at, project);
  for (const field of entityIdFields) {
    const id = query[field];
    if (id !== undefined) exports = exports.where(field, 'is not distinct from', id);
  }
  if (query.filters !== undefined) {
    exports = exports.where('filters', '=', toSortedJson(query.filters));
  }
  const newest = exports.orderBy('created_at', 'desc').orderBy('position', 'desc').limit(1);
  const row = await newest.executeTakeFirst();
  return row === undefined ? null : toExport(row);
}

async function insertExport({ db }: At, project: Project, record: StoredExport): Promise<void> {
  await db.insertInto('exports').values(toRow(project, record)).execute();
}

type Patch = Parameters<ExportTable['update']>[2];

async function updateExport(
  { db }: At,
  project: Project,
  { id, patch }: { id: string; patch: Patch },
): Promise<void> {
  await db
    .updateTable('exports')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .execute();
}

/** With the work on them that is still queued. */
async function deleteExports({ db }: At, project: Project, { type, id }: EntityRef): Promise<void> {
  const rows = await db
    .deleteFrom('exports')
    .where('project_key', '=', project.key)
    .where(entityIdField(type), '=', id)
    .returning('id')
    .execute();
  for (const row of rows) {
    await db
      .deleteFrom('jobs')
      .where('project_key', '=', project.key)
      .where('subject_id', '=', row.id)
      .execute();
  }
}

function exportsOf({ db }: At, project: Project) {
  return db.selectFrom('exports').selectAll().where('project_key', '=', project.key);
}

function toRow(project: Project, record: StoredExport): Insertable<ExportRow> {
  return {
    ...record,
    project_key: project.key,
    schema: toJson(record.schema),
    filters: record.filters === null ? null : toSortedJson(record.filters),
    data: toJson(record.data ?? null),
  };
}

function toRowPatch({ data, ...patch }: Patch): Updateable<ExportRow> {
  return { ...patch, ...(data === undefined ? {} : { data: toJson(data) }) };
}

function toExport(row: Selectable<ExportRow>): StoredExport {
  const { position: _, project_key: __, ...record } = row;
  return {
    ...record,
    schema: fromJson<Record<string, unknown>>(row.schema),
    filters: row.filters === null ? null : fromJson<Record<string, unknown>>(row.filters),
    data: fromJson<unknown>(row.data),
  };
}
