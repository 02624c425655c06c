import type { LanguageTable, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const languageStatements: StatementsOf<LanguageTable> = {
  list: { scope: 'project', run: listLanguages },
  add: { scope: 'project', run: addLanguages },
};

export async function listLanguages(at: DbContext, { key }: ProjectRef): Promise<string[]> {
  const rows = await listRows(at, { project_key: key });
  return rows.map(({ language }) => language);
}

const listRows = prepareStatement((db, value: StatementParameters<{ project_key: number }>) =>
  db
    .selectFrom('project_languages')
    .select('language')
    .where('project_key', '=', value('project_key'))
    .orderBy('language'),
);

async function addLanguages(
  { db }: DbContext,
  project: ProjectRef,
  languages: readonly string[],
): Promise<void> {
  if (languages.length === 0) return;
  const rows = languages.map((language) => ({ project_key: project.key, language }));
  await db
    .insertInto('project_languages')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
