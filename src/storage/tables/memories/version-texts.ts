import { sql } from 'kysely';
import type { ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { columnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';

/** The texts of a memory, and their words for the index. */
export const versionTexts = ['memory', 'said', 'terms', 'speaker_terms'] as const;

type VersionText = (typeof versionTexts)[number];

/** No memory is empty: such a version says what the next one says, which holds the text. */
export const sameAsNext: Readonly<Record<VersionText, '' | null>> = {
  memory: '',
  said: null,
  terms: '',
  speaker_terms: '',
};

const otherColumns = columnNames(tables.memory_versions).filter(
  (name): name is Exclude<typeof name, VersionText> => !versionTexts.some((text) => text === name),
);

/** Earlier versions, each with its text, wherever that is kept. */
export function versionsWithText(db: Database) {
  return db
    .selectFrom('memory_versions as version')
    .leftJoin('memory_versions as holder', (join) =>
      join
        .onRef('holder.project_key', '=', 'version.project_key')
        .on('holder.key', '=', firstWithText),
    )
    .leftJoin('memories as present', (join) =>
      join
        .onRef('present.project_key', '=', 'version.project_key')
        .onRef('present.id', '=', 'version.id')
        .on('holder.key', 'is', null),
    )
    .select(otherColumns.map((name) => `version.${name}` as const))
    .select([
      textOf<string>('memory').as('memory'),
      textOf<string | null>('said').as('said'),
      textOf<string>('terms').as('terms'),
      textOf<string>('speaker_terms').as('speaker_terms'),
    ]);
}

/** The version itself if it has a text, otherwise the next one of the memory that has. */
const firstWithText = sql<number>`(select min(later.key) from memory_versions later
  where later.project_key = version.project_key and later.id = version.id
  and later.memory <> '' and later.key >= version.key)`;

function textOf<T>(name: VersionText) {
  const [held, present] = [sql.ref(`holder.${name}`), sql.ref(`present.${name}`)];
  return sql<T>`case when holder.key is null then ${present} else ${held} end`;
}

/** Gives versions of these memories texts of their own: others may come to stand in between. */
export async function keepTextsApart(
  { db, dialect }: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<void> {
  const whole = versionsWithText(db).as('whole');
  const isSame = sql<boolean>`whole.key = memory_versions.key`;
  const own = (name: VersionText) => db.selectFrom(whole).select(`whole.${name}`).where(isSame);
  await db
    .updateTable('memory_versions')
    .set(Object.fromEntries(versionTexts.map((name) => [name, own(name)])))
    .where('project_key', '=', project.key)
    .where(dialect.filter.isIn(sql.ref('memory_versions.id'), ids))
    .where('memory', '=', '')
    .execute();
}
