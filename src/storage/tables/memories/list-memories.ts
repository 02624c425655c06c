import { sql } from 'kysely';
import type { ProjectRef, Selection, StoredMemory } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, SqlCondition } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { prepareForSelection } from '../search/selection-statement.ts';
import { countSelected } from './count-memories.ts';
import { memoriesOfLists } from './memory-lists.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';

type MemoryPageQuery = { selection: Selection; page: number; page_size: number };
type PagePlace = { page_size: number; offset: number };

/** A page of what matches, the newest first. */
export async function listMemories(
  at: DbContext,
  project: ProjectRef,
  { selection, page, page_size }: MemoryPageQuery,
): Promise<{ results: StoredMemory[]; total: number }> {
  const offset = (page - 1) * page_size;
  const results = at.dialect.isServer
    ? await readRows(at, project, { selection, page_size, offset })
    : memoriesOfLists(await readLists(at, { project, selection }, { page_size, offset }));
  const isLast = results.length < page_size && (results.length > 0 || page === 1);
  const shown = offset + results.length;
  const total = isLast ? shown : await countSelected(at, project, selection);
  return { results, total: results.length > 0 ? Math.max(shown, total) : total };
}

/** A server plans the statement for its values, which may match very different numbers. */
async function readRows(
  { db, dialect }: DbContext,
  { key }: ProjectRef,
  { selection, ...place }: PagePlace & Pick<MemoryPageQuery, 'selection'>,
): Promise<StoredMemory[]> {
  const condition = selectionSql(selection, dialect.filter);
  const where = sql<boolean>`memories.project_key = ${key} and ${condition}`;
  return (await pageIn(db, where, place).execute()).map(toStoredMemory);
}

/**
 * Reads the rows as one row with a list for each column: drivers decode each value separately,
 * which takes three times as long as to read the lists.
 */
const readLists = prepareForSelection<PagePlace, Record<(typeof memoryColumns)[number], string>>(
  ({ db, dialect, where }, value) => {
    const place = { page_size: value('page_size'), offset: value('offset') };
    const lists = memoryColumns.map((name) => {
      return dialect
        .aggregateJson(sql.ref(`found.${name}`))
        .$castTo<string>()
        .as(name);
    });
    return db.selectFrom(pageIn(db, where, place).as('found')).select(lists);
  },
);

function pageIn(db: Database, where: SqlCondition, { page_size, offset }: PagePlace) {
  return db
    .selectFrom('memories')
    .select(memoryColumns)
    .where(where)
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset(offset);
}
