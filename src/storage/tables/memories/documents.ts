import type { DocumentKind, DocumentTable, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';

export function createDocumentTable(at: DbContext): DocumentTable {
  return {
    find: (project, kind, id) => findDocument(at, project, { kind, id }),
    put: (project, document) => putDocument(at, project, document),
    delete: (project, kind, id) => deleteDocument(at, project, { kind, id }),
  };
}

type DocumentRef = { kind: DocumentKind; id: string };

async function findDocument<T>(
  { db }: DbContext,
  project: ProjectRef,
  { kind, id }: DocumentRef,
): Promise<T | null> {
  const row = await db
    .selectFrom('documents')
    .select('value')
    .where('project_key', '=', project.key)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : fromJson<T>(row.value);
}

async function putDocument(
  { db }: DbContext,
  project: ProjectRef,
  { kind, id, value, now }: Parameters<DocumentTable['put']>[1],
): Promise<void> {
  const content = { value: toJson(value), updated_at: now };
  await db
    .insertInto('documents')
    .values({ project_key: project.key, kind, id, ...content })
    .onConflict((conflict) => conflict.columns(['project_key', 'kind', 'id']).doUpdateSet(content))
    .execute();
}

async function deleteDocument(
  { db }: DbContext,
  project: ProjectRef,
  { kind, id }: DocumentRef,
): Promise<void> {
  await db
    .deleteFrom('documents')
    .where('project_key', '=', project.key)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}
