import { type Selectable, sql } from 'kysely';
import type {
  MemoryVersion,
  PastCandidates,
  ProjectRef,
  Selection,
  StoredMemory,
  VersionTable,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import type { MemoryRow, MemoryVersionRow } from '../../sql/schema.ts';
import {
  candidateColumns,
  candidatesFromColumns,
  selectAsColumns,
} from '../search/candidate-columns.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';

export function createVersionTable(at: DbContext): VersionTable {
  return {
    findMany: (project, ids, as_of) => findAsOf(at, project, { ids, as_of }),
    list: (project, selection, page) => listAsOf(at, project, { ...page, selection }),
    listOldest: (project, selection, wanted) => listOldest(at, project, { ...wanted, selection }),
    listCandidates: (project, selection, wanted) =>
      listCandidates(at, project, { ...wanted, selection }),
    listVersions: (project, ids) => listVersions(at, project, ids),
    listEndedBy: (project, event_id, limit) => listEndedBy(at, project, { event_id, limit }),
    listChanged: (project, selection, within) => listChanged(at, project, { ...within, selection }),
    deleteEndedBefore: (before, limit) => deleteEndedBefore(at, before, limit),
  };
}

type PastQuery = { where: SqlCondition; as_of: string };

/** What has been the same since a time. */
function unchangedSince({ db }: DbContext, project: ProjectRef, { where, as_of }: PastQuery) {
  return db
    .selectFrom('memories')
    .where('project_key', '=', project.key)
    .where('recorded_from', '<=', as_of)
    .where(where);
}

/** What was there at a time and has changed or gone since, by the name of `memories`. */
function changedSince({ db }: DbContext, project: ProjectRef, { where, as_of }: PastQuery) {
  return db
    .selectFrom('memory_versions as memories')
    .where('project_key', '=', project.key)
    .where('recorded_from', '<=', as_of)
    .where('recorded_until', '>', as_of)
    .where(where);
}

/** The rows that `memories` had at this time. The condition can use the indexes of both tables. */
function rowsAsOf(at: DbContext, project: ProjectRef, query: PastQuery) {
  const unchanged = unchangedSince(at, project, query).select(memoryColumns);
  const changed = changedSince(at, project, query).select(memoryColumns);
  return at.db.selectFrom(unchanged.unionAll(changed).as('held'));
}

async function findAsOf(
  at: DbContext,
  project: ProjectRef,
  { ids, as_of }: { ids: readonly string[]; as_of: string },
): Promise<StoredMemory[]> {
  if (ids.length === 0) return [];
  const where = at.dialect.filter.isIn(sql.ref('memories.id'), ids);
  const rows = await rowsAsOf(at, project, { where, as_of }).select(memoryColumns).execute();
  return rows.map(toStoredMemory);
}

type SelectionAsOf = { selection: Selection; as_of: string };

async function listAsOf(
  at: DbContext,
  project: ProjectRef,
  { selection, as_of, page, page_size }: SelectionAsOf & { page: number; page_size: number },
): Promise<{ results: StoredMemory[]; total: number }> {
  const where = selectionSql(selection, at.dialect.filter);
  const rows = await rowsAsOf(at, project, { where, as_of })
    .select(memoryColumns)
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  const total = await countAsOf(at, project, { selection, as_of });
  return { results: rows.map(toStoredMemory), total };
}

async function countAsOf(
  at: DbContext,
  project: ProjectRef,
  { selection, as_of }: SelectionAsOf,
): Promise<number> {
  const where = selectionSql(selection, at.dialect.filter);
  const { total } = await rowsAsOf(at, project, { where, as_of })
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function listOldest(
  at: DbContext,
  project: ProjectRef,
  { selection, as_of, limit }: SelectionAsOf & { limit: number },
): Promise<StoredMemory[]> {
  const where = selectionSql(selection, at.dialect.filter);
  const rows = await rowsAsOf(at, project, { where, as_of })
    .select(memoryColumns)
    .orderBy('created_at')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toStoredMemory);
}

async function listCandidates(
  at: DbContext,
  project: ProjectRef,
  { selection, as_of, limit }: SelectionAsOf & { limit: number },
): Promise<PastCandidates> {
  const query = { where: selectionSql(selection, at.dialect.filter), as_of };
  const rows = unchangedSince(at, project, query).select(candidateColumns).limit(limit);
  const unchanged = candidatesFromColumns(await selectAsColumns(at, rows).execute());
  const changed = await changedSince(at, project, query)
    .select(candidateColumns)
    .select('memories.memory')
    .limit(limit)
    .execute();
  return { unchanged, changed: changed.map((row) => ({ ...row, asks: Boolean(row.asks) })) };
}

async function listVersions(
  at: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<MemoryVersion[]> {
  if (ids.length === 0) return [];
  const isAmong = at.dialect.filter.isIn(sql.ref('memories.id'), ids);
  const past = await at.db
    .selectFrom('memory_versions as memories')
    .selectAll()
    .where('project_key', '=', project.key)
    .where(isAmong)
    .orderBy('key')
    .execute();
  const current = await at.db
    .selectFrom('memories')
    .selectAll()
    .where('project_key', '=', project.key)
    .where(isAmong)
    .execute();
  const open = current.map((row) => toVersion({ ...row, recorded_until: null, ended_by: null }));
  return [...past.map(toVersion), ...open];
}

type VersionRow = Selectable<MemoryRow> & {
  [N in 'recorded_until' | 'ended_by']: MemoryVersionRow[N] | null;
};

function toVersion(row: Omit<VersionRow, 'short_id'>): MemoryVersion {
  const { recorded_from, recorded_until, recorded_by, ended_by } = row;
  return { memory: toStoredMemory(row), recorded_from, recorded_until, recorded_by, ended_by };
}

async function listEndedBy(
  { db }: DbContext,
  project: ProjectRef,
  { event_id, limit }: { event_id: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('memory_versions')
    .select('id')
    .distinct()
    .where('project_key', '=', project.key)
    .where('ended_by', '=', event_id)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

type ChangeQuery = { selection: Selection; from: string; until: string; limit: number };

async function listChanged(
  { db, dialect }: DbContext,
  project: ProjectRef,
  { selection, from, until, limit }: ChangeQuery,
): Promise<string[]> {
  const where = selectionSql(selection, dialect.filter);
  const begun = db
    .selectFrom('memories')
    .select('id')
    .where('project_key', '=', project.key)
    .where('recorded_from', '>', from)
    .where('recorded_from', '<=', until)
    .where(where);
  const ended = db
    .selectFrom('memory_versions as memories')
    .select('id')
    .where('project_key', '=', project.key)
    .where('recorded_until', '>', from)
    .where((eb) => {
      const beganWithin = [eb('recorded_from', '>', from), eb('recorded_from', '<=', until)];
      return eb.or([eb('recorded_until', '<=', until), eb.and(beganWithin)]);
    })
    .where(where);
  const rows = await db
    .selectFrom(begun.union(ended).as('changed'))
    .select('id')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function deleteEndedBefore({ db }: DbContext, before: string, limit: number) {
  const rows = await db
    .deleteFrom('memory_versions')
    .where('key', 'in', (eb) =>
      eb
        .selectFrom('memory_versions')
        .select('key')
        .where('recorded_until', '<', before)
        .limit(limit),
    )
    .returning('key')
    .execute();
  return rows.length;
}
