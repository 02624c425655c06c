import { sql } from 'kysely';
import { type MemorySort, memorySorts } from '../../../contract/schemas/memory.ts';
import type {
  MemoryTable,
  ProjectRef,
  Selection,
  StoredMemory,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database, SqlCondition } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { prepareForSelection, type SelectionStatement } from '../search/selection-statement.ts';
import { countSelected } from './count-memories.ts';
import { memoriesOfLists } from './memory-lists.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';

type PagePlace = { page_size: number; offset: number };

/** A page of what matches, by default the newest first. */
export async function listMemories(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { page, page_size, sort = '-created_at' }: Parameters<MemoryTable['list']>[2],
): Promise<{ results: StoredMemory[]; total: number }> {
  const offset = (page - 1) * page_size;
  const results = at.dialect.isServer
    ? await readRows(at, project, { selection, page_size, offset, sort })
    : memoriesOfLists(await readLists[sort](at, { project, selection }, { page_size, offset }));
  const isLast = results.length < page_size && (results.length > 0 || page === 1);
  const lastPlace = offset + results.length;
  const total = isLast ? lastPlace : await countSelected(at, project, selection);
  return { results, total: results.length > 0 ? Math.max(lastPlace, total) : total };
}

/** A server plans the statement for its values, which may match very different numbers. */
async function readRows(
  { db, dialect }: DbContext,
  { key }: ProjectRef,
  { selection, sort, ...place }: PagePlace & { selection: Selection; sort: MemorySort },
): Promise<StoredMemory[]> {
  const condition = selectionSql(selection, dialect.filter);
  const where = sql<boolean>`memories.project_key = ${key} and ${condition}`;
  return (await pageIn(db, where, { ...place, sort }).execute()).map(toStoredMemory);
}

type Lists = Record<(typeof memoryColumns)[number], string>;

/**
 * Reads the rows as one row with a list for each column: drivers decode each value separately,
 * which takes three times as long as to read the lists.
 */
function prepareLists(sort: MemorySort): SelectionStatement<PagePlace, Lists> {
  return prepareForSelection<PagePlace, Lists>(({ db, dialect, where }, value) => {
    const page = { page_size: value('page_size'), offset: value('offset'), sort };
    const lists = memoryColumns.map((name) => {
      return dialect
        .aggregateJson(sql.ref(`found.${name}`))
        .$castTo<string>()
        .as(name);
    });
    return db.selectFrom(pageIn(db, where, page).as('found')).select(lists);
  });
}

const readLists = Object.fromEntries(
  memorySorts.map((sort) => [sort, prepareLists(sort)]),
) as Record<MemorySort, SelectionStatement<PagePlace, Lists>>; // of all of them

function pageIn(
  db: Database,
  where: SqlCondition,
  { page_size, offset, sort }: PagePlace & { sort: MemorySort },
) {
  const { column, direction } = orderOf(sort);
  const pageRows = db
    .selectFrom('memories')
    .where(where)
    .orderBy(column, direction)
    .orderBy('position', direction)
    .limit(page_size)
    .offset(offset);
  if (column === 'created_at') return pageRows.select(memoryColumns);
  // No index has this order: what is sorted are positions, not whole memories.
  return db
    .selectFrom('memories')
    .select(memoryColumns)
    .where(({ eb, refTuple }) =>
      eb(
        refTuple('project_key', 'position'),
        'in',
        pageRows.select(['project_key', 'position']).$asTuple('project_key', 'position'),
      ),
    )
    .orderBy(column, direction)
    .orderBy('position', direction);
}

/** A time that several memories have does not decide: their positions do, in the same direction. */
export function orderOf(sort: MemorySort) {
  const direction = sort.startsWith('-') ? ('desc' as const) : ('asc' as const);
  const column = sort.endsWith('created_at') ? ('created_at' as const) : ('updated_at' as const);
  return { column, direction };
}
