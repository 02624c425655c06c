import type { DocumentKind, DocumentTable, ProjectRef } from '../../core/ports/index.ts';
import { fromJson, toJson } from '../json.ts';
import type { At } from './at.ts';

export function createDocumentTable(at: At): DocumentTable {
  return {
    find: (project, kind, id) => findDocument(at, project, { kind, id }),
    put: (project, document) => putDocument(at, project, document),
    delete: (project, kind, id) => deleteDocument(at, project, { kind, id }),
  };
}

type Ref = { kind: DocumentKind; id: string };

async function findDocument<T>(
  { db }: At,
  project: ProjectRef,
  { kind, id }: Ref,
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
  { db }: At,
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

async function deleteDocument({ db }: At, project: ProjectRef, { kind, id }: Ref): Promise<void> {
  await db
    .deleteFrom('documents')
    .where('project_key', '=', project.key)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}
