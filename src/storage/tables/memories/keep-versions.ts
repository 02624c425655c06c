import { sql } from 'kysely';
import type { ProjectRef, RecordedChange } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { columnNames } from '../../sql/schema/table.ts';
import { tables } from '../../sql/schema/tables.ts';

/** What a version copies from the row of its memory. */
const copiedColumns = columnNames(tables.memories);

/**
 * Keeps what memories say before they change or go. Returns when the version of each ends: at the
 * time of the change or, where the clock was set back, when it began.
 */
export async function keepVersions(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { ids, change }: { ids: readonly string[]; change: RecordedChange },
): Promise<{ id: string; recorded_until: string }[]> {
  const at = sql<string>`cast(${change.at} as text)`;
  const end = sql<string>`case when recorded_from > ${at} then recorded_from else ${at} end`;
  return db
    .insertInto('memory_versions')
    .columns([...copiedColumns, 'recorded_until', 'ended_by'])
    .expression((eb) =>
      eb
        .selectFrom('memories')
        .select(copiedColumns)
        .select(end.as('recorded_until'))
        .select(sql<string | null>`cast(${change.event_id} as text)`.as('ended_by'))
        .where('project_key', '=', project.key)
        .where(dialect.filter.isIn(sql.ref('memories.id'), ids)),
    )
    .returning(['id', 'recorded_until'])
    .execute();
}
