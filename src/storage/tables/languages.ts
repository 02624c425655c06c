import type { LanguageTable, ProjectRef } from '../../core/ports/index.ts';
import { prepared, type Values } from '../prepared.ts';
import type { At } from './at.ts';

export function createLanguageTable(at: At): LanguageTable {
  return {
    list: (project) => listLanguages(at, project),
    add: (project, languages) => addLanguages(at, project, languages),
  };
}

export async function listLanguages(at: At, { key }: ProjectRef): Promise<string[]> {
  const rows = await listRows(at, { project_key: key });
  return rows.map(({ language }) => language);
}

const listRows = prepared((db, value: Values<{ project_key: number }>) =>
  db
    .selectFrom('languages')
    .select('language')
    .where('project_key', '=', value('project_key'))
    .orderBy('language'),
);

async function addLanguages(
  { db }: At,
  project: ProjectRef,
  languages: readonly string[],
): Promise<void> {
  if (languages.length === 0) return;
  const rows = languages.map((language) => ({ project_key: project.key, language }));
  await db
    .insertInto('languages')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
