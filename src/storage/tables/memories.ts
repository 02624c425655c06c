import { sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { MemoryTable, Project, StoredMemory } from '../../core/ports.ts';
import type { Condition } from '../dialects/dialect.ts';
import { selectionSql } from '../filter-sql.ts';
import type { At } from './at.ts';
import { countMemories } from './counters.ts';
import { memoryColumns, toMemory } from './memory-row.ts';
import { findCandidates } from './memory-search.ts';
import { deleteMemories, insertMemories, updateMemory } from './memory-writes.ts';

export function createMemoryTable(at: At): MemoryTable {
  return {
    find: (project, id) => findMemory(at, project, id),
    findMany: (project, ids) => findMemories(at, project, ids),
    findSame: (project, ids, hash) => findSame(at, project, { ids, hash }),
    insert: (project, memories) => insertMemories(at, project, memories),
    update: (project, id, patch) => updateMemory(at, project, { id, patch }),
    delete: (project, ids) => deleteMemories(at, project, ids),
    list: (project, selection, page) =>
      listMemories(at, project, { ...page, where: selectionSql(selection, at.dialect.filter) }),
    take: (project, selection, limit) =>
      takeMemories(at, project, { limit, where: selectionSql(selection, at.dialect.filter) }),
    listExpiredProjects: (before) => listExpiredProjects(at, before),
    takeExpired: (project, before, limit) => takeExpired(at, project, { before, limit }),
    candidates: (project, selection, query) => findCandidates(at, project, { ...query, selection }),
    size: (project, ids) => countMemories(at, project, ids),
  };
}

async function findMemory(at: At, project: Project, id: string): Promise<StoredMemory | null> {
  const row = await memoriesOf(at, project)
    .select(memoryColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  return row === undefined ? null : toMemory(row);
}

async function findMemories(
  at: At,
  project: Project,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  if (ids.length === 0) return [];
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
    .execute();
  return rows.map(toMemory);
}

async function findSame(
  at: At,
  project: Project,
  { ids, hash }: { ids: EntityIds; hash: string },
): Promise<StoredMemory | null> {
  const row = await memoriesOf(at, project)
    .select(memoryColumns)
    .where('hash', '=', hash)
    .where('replaced_by', 'is', null)
    .where((eb) =>
      eb.and(entityIdFields.map((field) => eb(field, 'is not distinct from', ids[field]))),
    )
    .orderBy('expiration_date', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toMemory(row);
}

type PageOf = { where: Condition; page: number; page_size: number };

async function listMemories(
  at: At,
  project: Project,
  { where, page, page_size }: PageOf,
): Promise<{ results: StoredMemory[]; total: number }> {
  const offset = (page - 1) * page_size;
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where(where)
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset(offset)
    .execute();
  const isLast = rows.length < page_size && (rows.length > 0 || page === 1);
  const total = isLast ? offset + rows.length : await countWhere(at, project, where);
  return { results: rows.map(toMemory), total };
}

async function countWhere(at: At, project: Project, where: Condition): Promise<number> {
  const { total } = await memoriesOf(at, project)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(where)
    .executeTakeFirstOrThrow();
  return total;
}

async function takeMemories(
  at: At,
  project: Project,
  { where, limit }: { where: Condition; limit: number },
): Promise<StoredMemory[]> {
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where(where)
    .orderBy('created_at')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toMemory);
}

async function listExpiredProjects({ db }: At, before: string): Promise<Project[]> {
  const rows = await db
    .selectFrom('projects')
    .select(['key', 'org_id', 'project_id'])
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('memories')
          .select('memories.position')
          .whereRef('memories.project_key', '=', 'projects.key')
          .where('memories.expiration_date', '<', before),
      ),
    )
    .execute();
  return rows.map((row) => ({ ...row }));
}

async function takeExpired(
  at: At,
  project: Project,
  { before, limit }: { before: string; limit: number },
): Promise<StoredMemory[]> {
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where('expiration_date', '<', before)
    .orderBy('expiration_date')
    .limit(limit)
    .execute();
  return rows.map(toMemory);
}

function memoriesOf({ db }: At, project: Project) {
  return db.selectFrom('memories').where('project_key', '=', project.key);
}
