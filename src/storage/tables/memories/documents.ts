import type { DocumentKind, DocumentTable, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const documentStatements: StatementsOf<DocumentTable> = {
  find: { scope: 'project', run: findDocument },
  list: { scope: 'project', run: listDocuments },
  put: { scope: 'project', run: putDocument },
  delete: { scope: 'project', run: deleteDocument },
};

async function findDocument<T>(
  { db }: DbContext,
  project: ProjectRef,
  kind: DocumentKind,
  id: string,
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

async function listDocuments<T>(
  at: DbContext,
  project: ProjectRef,
  kind: DocumentKind,
): Promise<T[]> {
  const rows = await listRows(at, { project_key: project.key, kind });
  return rows.map(({ value }) => fromJson<T>(value));
}

/** Prepared, because each add looks for refused texts. */
const listRows = prepareStatement(
  (db, value: StatementParameters<{ project_key: number; kind: DocumentKind }>) =>
    db
      .selectFrom('documents')
      .select('value')
      .where('project_key', '=', value('project_key'))
      .where('kind', '=', value('kind'))
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc'),
);

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
  kind: DocumentKind,
  id: string,
): Promise<void> {
  await db
    .deleteFrom('documents')
    .where('project_key', '=', project.key)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .execute();
}
