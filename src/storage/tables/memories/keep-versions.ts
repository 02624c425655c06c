import { sql } from 'kysely';
import type { ProjectRef, RecordedChange, Superseded } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { columnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';
import { sameAsNext, versionTexts } from './version-texts.ts';

/** The columns, other than texts, that a version copies from its memory. */
const copiedColumns = columnNames(tables.memories).filter(
  (name) => !versionTexts.some((text) => text === name),
);

type KeptVersions = {
  ids: readonly string[];
  change: RecordedChange;
  /** The change leaves the texts as they are: they are not kept twice. */
  keepsTexts?: boolean;
} & Partial<Pick<Superseded, 'superseded_at'>>;

/**
 * Keeps what memories say before they change or go. Returns when the version of each ends: at the
 * time of the change or, where the clock was set back, when it began.
 */
export async function keepVersions(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { ids, change, keepsTexts = false, superseded_at = null }: KeptVersions,
): Promise<{ id: string; recorded_until: string }[]> {
  const at = sql<string>`cast(${change.at} as text)`;
  const end = sql<string>`case when recorded_from > ${at} then recorded_from else ${at} end`;
  return db
    .insertInto('memory_versions')
    .columns([...copiedColumns, ...versionTexts, 'recorded_until', 'ended_by', 'superseded_at'])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select(copiedColumns)
        .select(
          versionTexts.map((name) => {
            const text = keepsTexts ? sql.val(sameAsNext[name]) : sql.ref(name);
            return sql<string>`cast(${text} as text)`.as(name);
          }),
        )
        .select(end.as('recorded_until'))
        .select(sql<string | null>`cast(${change.event_id} as text)`.as('ended_by'))
        .select(sql<string | null>`cast(${superseded_at} as text)`.as('superseded_at'))
        .where('project_key', '=', project.key)
        .where(dialect.filter.isIn(sql.ref('memories.id'), ids)),
    )
    .returning(['id', 'recorded_until'])
    .execute();
}
