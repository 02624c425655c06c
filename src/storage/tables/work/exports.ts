import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import {
  type EntityType,
  entityIdField,
  entityIdFields,
} from '../../../contract/schemas/entity.ts';
import type {
  ExportScope,
  ExportTable,
  Instant,
  ProjectRef,
  StoredExport,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson, toSortedJson } from '../../sql/json.ts';
import type { ExportRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { deleteOldRows } from './delete-old.ts';

export const exportStatements: StatementsOf<ExportTable> = {
  find: { scope: 'project', run: findExport },
  findLatest: { scope: 'project', run: findLatest },
  insert: { scope: 'project', run: insertExport },
  update: { scope: 'project', run: updateExport },
  listByEntity: { scope: 'project', run: listExportsAboutEntity },
  delete: { scope: 'project', run: deleteExports },
  deleteSettledBefore: { scope: 'queue', run: deleteSettledBefore },
};

async function findExport(
  at: DbContext,
  project: ProjectRef,
  id: string,
): Promise<StoredExport | null> {
  const row = await exportsOf(at, project).where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : toExport(row);
}

type LatestExportQuery = Parameters<ExportTable['findLatest']>[1];

/** Omitted fields of the query match anything. */
async function findLatest(
  at: DbContext,
  project: ProjectRef,
  query: LatestExportQuery,
): Promise<StoredExport | null> {
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

async function insertExport(
  { db }: DbContext,
  project: ProjectRef,
  record: StoredExport,
): Promise<void> {
  await db.insertInto('exports').values(toRow(project, record)).execute();
}

type ExportPatch = Parameters<ExportTable['update']>[2];

async function updateExport(
  { db }: DbContext,
  project: ProjectRef,
  id: string,
  patch: ExportPatch,
): Promise<void> {
  await db
    .updateTable('exports')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .execute();
}

async function listExportsAboutEntity(
  { db }: DbContext,
  project: ProjectRef,
  type: EntityType,
  id: string,
): Promise<ExportScope[]> {
  const field = entityIdField(type);
  const rows = await db
    .selectFrom('exports')
    .select([...entityIdFields, 'id', 'filters', 'status'])
    .where('project_key', '=', project.key)
    .where((eb) => eb.or([eb(field, 'is', null), eb(field, '=', id)]))
    .execute();
  return rows.map((row) => ({ ...row, filters: toFilters(row) }));
}

async function deleteExports(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<void> {
  await db
    .deleteFrom('exports')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('exports.id'), ids))
    .execute();
  await db
    .deleteFrom('jobs')
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('jobs.subject_id'), ids))
    .execute();
}

function deleteSettledBefore(at: DbContext, instant: Instant, limit: number): Promise<number> {
  const settled = sql<boolean>`exports.completed_at < ${instant}`;
  return deleteOldRows(at, 'exports', { instant, limit, settled });
}

function exportsOf({ db }: DbContext, project: ProjectRef) {
  return db.selectFrom('exports').selectAll().where('project_key', '=', project.key);
}

function toRow(project: ProjectRef, record: StoredExport): Insertable<ExportRow> {
  return {
    ...record,
    project_key: project.key,
    schema: toJson(record.schema),
    filters: record.filters === null ? null : toSortedJson(record.filters),
    data: toJson(record.data ?? null),
  };
}

function toRowPatch({ data, ...patch }: ExportPatch): Updateable<ExportRow> {
  return { ...patch, ...(data === undefined ? {} : { data: toJson(data) }) };
}

function toExport(row: Selectable<ExportRow>): StoredExport {
  const { position: _, project_key: __, short_id: ___, ...record } = row;
  return {
    ...record,
    schema: fromJson<Record<string, unknown>>(row.schema),
    filters: toFilters(row),
    data: fromJson<unknown>(row.data),
  };
}

function toFilters({ filters }: Pick<ExportRow, 'filters'>): Record<string, unknown> | null {
  return filters === null ? null : fromJson<Record<string, unknown>>(filters);
}
