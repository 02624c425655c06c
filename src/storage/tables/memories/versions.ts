import { type Selectable, sql } from 'kysely';
import { type EntityType, entityIdField } from '../../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  MemoryVersion,
  PastTime,
  ProjectRef,
  Selection,
  StoredMemory,
  VersionTable,
} from '../../../core/ports/index.ts';
import { createTurns, partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import type { MemoryRow, MemoryVersionRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { orderOf } from './list-memories.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';
import { listPastCandidates } from './past-candidates.ts';
import { rowsAsOf } from './past-rows.ts';
import { versionsWithText } from './version-texts.ts';

export const versionStatements: StatementsOf<VersionTable> = {
  findMany: { scope: 'project', run: findAsOf },
  list: { scope: 'project', run: listAsOf },
  listOldest: { scope: 'project', run: listOldest },
  listCandidates: { scope: 'project', run: listPastCandidates },
  countByEntity: { scope: 'project', run: countByEntity },
  listVersions: { scope: 'project', run: listVersions },
  listEndedBy: { scope: 'project', run: listEndedBy },
  listChanged: { scope: 'project', run: listChanged },
  insert: {
    scope: 'project',
    run: async (...args) => {
      const { insertVersions } = await import('./insert-versions.ts'); // with imports alone
      return insertVersions(...args);
    },
  },
  deleteEndedBefore: { scope: 'queue', run: deleteEndedBefore },
};

async function findAsOf(
  at: DbContext,
  project: ProjectRef,
  ids: readonly string[],
  time: PastTime,
): Promise<StoredMemory[]> {
  if (ids.length === 0) return [];
  const where = at.dialect.filter.isIn(sql.ref('memories.id'), ids);
  const rows = await rowsAsOf(at, project, { ...time, where, namesMemories: true })
    .select(memoryColumns)
    .execute();
  return rows.map(toStoredMemory);
}

async function listAsOf(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { page, page_size, sort = '-created_at', ...time }: Parameters<VersionTable['list']>[2],
): Promise<{ results: StoredMemory[]; total: number }> {
  const where = selectionSql(selection, at.dialect.filter);
  const { column, direction } = orderOf(sort);
  const rows = await rowsAsOf(at, project, { ...time, where })
    .select(memoryColumns)
    .orderBy(column, direction)
    .orderBy('position', direction)
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  const total = await countAsOf(at, project, { ...time, where });
  return { results: rows.map(toStoredMemory), total };
}

async function countAsOf(
  at: DbContext,
  project: ProjectRef,
  past: PastTime & { where: SqlCondition },
): Promise<number> {
  const { total } = await rowsAsOf(at, project, past)
    .select((eb) => eb.fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

async function listOldest(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { limit, slot, ...time }: Parameters<VersionTable['listOldest']>[2],
): Promise<StoredMemory[]> {
  const matches = selectionSql(selection, at.dialect.filter);
  const where = slot === undefined ? matches : sql<boolean>`memories.slot = ${slot} and ${matches}`;
  const rows = await rowsAsOf(at, project, { ...time, where })
    .select(memoryColumns)
    .orderBy('created_at')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toStoredMemory);
}

async function countByEntity(
  at: DbContext,
  project: ProjectRef,
  { type, ids }: { type: EntityType; ids: readonly string[] },
  time: PastTime,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const field = entityIdField(type);
  const where = at.dialect.filter.isIn(sql.ref(`memories.${field}`), ids);
  const rows = await rowsAsOf(at, project, { ...time, where })
    .select((eb) => [`held.${field} as id` as const, eb.fn.countAll<number | string>().as('count')])
    .groupBy(`held.${field}`)
    .execute();
  return new Map(rows.map(({ id, count }) => [id ?? '', Number(count)]));
}

async function listVersions(
  at: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<MemoryVersion[]> {
  if (ids.length === 0) return [];
  const isAmong = at.dialect.filter.isIn(sql.ref('memories.id'), ids);
  const keys = at.db
    .selectFrom('memory_versions as memories')
    .select('key')
    .where('project_key', '=', project.key)
    .where(isAmong)
    .orderBy('key');
  // Most have so few versions that one statement reads them, with no need to know their keys.
  const first = await readVersions(at, project, sql`key in (${keys.limit(keysAtOnce)})`);
  const last = first.length < keysAtOnce ? undefined : first.at(-1);
  const more = last === undefined ? [] : await keys.where('key', '>', last.key).execute();
  // Read before others have their turn: a version that they end meanwhile is not among the keys.
  const current = await at.db
    .selectFrom('memories')
    .selectAll()
    .where('project_key', '=', project.key)
    .where(isAmong)
    .execute();
  const past = first.map(toVersion);
  const yieldTurn = createTurns();
  for (const some of partsOf(more, keysAtOnce)) {
    await yieldTurn();
    const partKeys = some.map(({ key }) => key);
    const rows = await readVersions(at, project, at.dialect.filter.isIn(sql.ref('key'), partKeys));
    past.push(...rows.map(toVersion));
  }
  const open = current.map((row) =>
    toVersion({ ...row, recorded_until: null, ended_by: null, ...neverSuperseded }),
  );
  return [...past, ...open];
}

async function readVersions({ db }: DbContext, project: ProjectRef, isWanted: SqlCondition) {
  return db
    .selectFrom(versionsWithText(db).as('memories'))
    .selectAll()
    .where('project_key', '=', project.key)
    .where(isWanted)
    .orderBy('key')
    .execute();
}

/** Few at once, so that reading them delays nobody: a memory may have thousands of versions. */
const keysAtOnce = 200;

const neverSuperseded = { superseded_at: null, superseded_in_part: 0 };

type VersionRow = Selectable<MemoryRow> & {
  [N in 'recorded_until' | 'ended_by' | 'superseded_at' | 'superseded_in_part']:
    | MemoryVersionRow[N]
    | null;
};

export function toVersion(row: StrictOmit<VersionRow, 'short_id'>): MemoryVersion {
  const { recorded_from, recorded_until, recorded_by, ended_by, superseded_at } = row;
  const times = { recorded_from, recorded_until, recorded_by, ended_by, superseded_at };
  const superseded_in_part = row.superseded_in_part === 1;
  return { memory: toStoredMemory(row), ...times, superseded_in_part };
}

async function listEndedBy(
  { db }: DbContext,
  project: ProjectRef,
  event_id: string,
  limit: number,
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

async function listChanged(
  { db, dialect }: DbContext,
  project: ProjectRef,
  selection: Selection,
  { from, until, limit }: Parameters<VersionTable['listChanged']>[2],
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
    .selectFrom(versionsWithText(db).as('memories'))
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
