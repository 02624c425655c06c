import { sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type { Filter, FilterField } from '../../../contract/schemas/filter.ts';
import type {
  ErasureSubject,
  ErasureTable,
  ProjectRef,
  Selection,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { listRequired, selectionSql } from '../../sql/filter-sql.ts';

/** A memory to erase, and how long its texts are; `position` is null if it was deleted before. */
type MemoryRef = EntityIds & { id: string; position: number | null; bytes: number };
export type ErasureChoice = Parameters<ErasureTable['select']>[1];
type ErasedMemories = { memories: MemoryRef[]; undecided: ErasureSubject['undecided'] };

/**
 * Memories, also those of which only versions or the history is left, with those that were merged
 * into them, whose texts say the same.
 */
export async function findMemories(
  at: DbContext,
  project: ProjectRef,
  choice: ErasureChoice,
): Promise<ErasedMemories> {
  const { filter } = at.dialect;
  const where =
    'ids' in choice
      ? sql<boolean>`${filter.isIn(sql.ref('memories.id'), choice.ids)}
          and ${isOwnedBy(choice.owners)}`
      : selectionSql(choice.selection, filter);
  let memories = await findHeld(at, project, where);
  const all = new Map(memories.map((memory) => [memory.id, memory]));
  while (memories.length > 0) {
    const into = memories.map(({ id }) => id);
    const merged = sql<boolean>`memories.replaced_by is not null
      and ${filter.isIn(sql.ref('memories.replaced_by'), into)}`;
    memories = (await findHeld(at, project, merged)).filter(({ id }) => !all.has(id));
    for (const memory of memories) all.set(memory.id, memory);
  }
  const past = 'ids' in choice ? { where, unknown: [] } : whereInHistory(at, choice.selection);
  const rest = await findInHistory(at, project, past.where);
  if (past.unknown.length > 0) {
    const undecided = { memories: rest.length, fields: past.unknown };
    return { memories: [...all.values()], undecided: rest.length > 0 ? undecided : null };
  }
  return { memories: [...all.values(), ...rest], undecided: null };
}

/** Sizes alone, which read no long text. */
const textBytes = sql<number>`octet_length(memory) + octet_length(terms)
  + coalesce(octet_length(said), 0) + octet_length(metadata)`.as('bytes');

/** Memories that exist, and deleted ones in their last state. */
async function findHeld(
  { db }: DbContext,
  project: ProjectRef,
  where: SqlCondition,
): Promise<MemoryRef[]> {
  const present = await db
    .selectFrom('memories')
    .select(['id', 'position', ...entityIdFields, textBytes])
    .where('project_key', '=', project.key)
    .where(where)
    .execute();
  const deleted = await db
    .selectFrom('memory_versions as memories')
    .select(['id', sql<null>`null`.as('position'), ...entityIdFields, textBytes])
    .where('project_key', '=', project.key)
    .where(where)
    .where(isGone('memories.id', project))
    .where(sql<boolean>`not exists (select 1 from memory_versions later
      where later.project_key = ${project.key} and later.id = memories.id
      and later.key > memories.key)`)
    .execute();
  return [...present, ...deleted];
}

/** Memories that are only in the history, in the state of their last entry. */
function findInHistory({ db }: DbContext, project: ProjectRef, where: SqlCondition) {
  const past = db
    .selectFrom('history as entry')
    .select(['memory_id as id', ...entityIdFields, 'categories'])
    .select([
      sql<string>`coalesce(new_memory, old_memory, '')`.as('memory'),
      sql<string>`coalesce(metadata, '{}')`.as('metadata'),
      sql<string>`(select min(created_at) from history first
        where first.project_key = ${project.key}
        and first.memory_id = entry.memory_id)`.as('created_at'),
    ])
    .where('project_key', '=', project.key)
    .where(isGone('entry.memory_id', project))
    .where(sql<boolean>`not exists (select 1 from memory_versions version
      where version.project_key = ${project.key} and version.id = entry.memory_id)`)
    .where(sql<boolean>`not exists (select 1 from history later
      where later.project_key = ${project.key} and later.memory_id = entry.memory_id
      and later.position > entry.position)`);
  return db
    .selectFrom(past.as('memories'))
    .select(['id', sql<null>`null`.as('position'), ...entityIdFields])
    .select(sql<number>`octet_length(memory)`.as('bytes'))
    .where(where)
    .execute();
}

function isGone(id: string, project: ProjectRef) {
  return sql<boolean>`not exists (select 1 from memories present
    where present.project_key = ${project.key} and present.id = ${sql.ref(id)})`;
}

/** The fields that history entries have. */
const fieldsInHistory: readonly FilterField[] = [
  ...entityIdFields,
  'id',
  'created_at',
  'categories',
  'keywords',
  'text',
  'metadata',
];

/** The conditions that the history can decide, and the fields that it lacks for the others. */
function whereInHistory({ dialect }: DbContext, selection: Selection) {
  const parts = listRequired(selection.filter);
  const isKnown = (part: Filter) =>
    fieldsOf(part).every((field) => fieldsInHistory.includes(field));
  const unknown = parts.flatMap(fieldsOf).filter((field) => !fieldsInHistory.includes(field));
  const filter = { all: parts.filter(isKnown) };
  const where = selectionSql({ ...selection, filter }, dialect.filter);
  return { where, unknown: [...new Set(unknown)] };
}

function fieldsOf(filter: Filter): FilterField[] {
  if ('field' in filter) return [filter.field];
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : filter.none;
  return members.flatMap(fieldsOf);
}

function isOwnedBy(owners: Partial<EntityIds>) {
  const parts = Object.entries(owners).map(([field, id]) => sql`${sql.ref(field)} = ${id}`);
  return parts.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}
