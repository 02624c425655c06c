import { sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../../contract/schemas/entity.ts';
import type {
  MemoryTable,
  ProjectRef,
  Selection,
  StoredMemory,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { fromJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import { countMemories } from '../entities/memory-counters.ts';
import {
  findAtPositions,
  findAtRunPlaces,
  findNewest,
  findOccurring,
  searchCandidates,
} from '../search/candidates.ts';
import { findActiveDuplicate, findWaitingDuplicate, listStatements } from './compared-memories.ts';
import { listLanguages } from './languages.ts';
import { listMemories } from './list-memories.ts';
import { memoryColumns, toStoredMemory } from './memory-row.ts';
import { deleteMemoryRows, insertMemoryRows, updateMemoryRow } from './memory-writes.ts';

export const memoryStatements: StatementsOf<MemoryTable> = {
  find: { scope: 'project', run: findMemory },
  findMany: { scope: 'project', run: findMemories },
  findDuplicate: { scope: 'project', run: findActiveDuplicate },
  findWaitingDuplicate: { scope: 'project', run: findWaitingDuplicate },
  findBySlot: { scope: 'project', run: findSlot },
  listWithSlot: { scope: 'project', run: listSlots },
  insert: { scope: 'project', run: insertMemoryRows },
  update: { scope: 'project', run: updateMemoryRow },
  delete: { scope: 'project', run: deleteMemoryRows },
  list: { scope: 'project', run: listMemories },
  listCategories: { scope: 'project', run: listCategories },
  listOldest: { scope: 'project', run: listOldestMemories },
  listProjectsWithExpired: { scope: 'queue', run: listExpiredProjects },
  listExpired: { scope: 'project', run: listExpired },
  listCandidates: { scope: 'project', run: searchCandidates },
  listNewest: { scope: 'project', run: findNewest },
  listByOccurrence: { scope: 'project', run: findOccurring },
  listByRunPlaces: { scope: 'project', run: findAtRunPlaces },
  listByPositions: { scope: 'project', run: findAtPositions },
  listStatements: { scope: 'project', run: listStatements },
  size: { scope: 'project', run: countMemories },
  getScopeStats: { scope: 'project', run: readOutline },
};

/** In parallel: a server gets both queries at once. */
async function readOutline(at: DbContext, project: ProjectRef, ids: Partial<EntityIds>) {
  const [size, languages] = await Promise.all([
    countMemories(at, project, ids),
    listLanguages(at, project),
  ]);
  return { size, languages };
}

async function findMemory(
  at: DbContext,
  project: ProjectRef,
  id: string,
): Promise<StoredMemory | null> {
  const [row] = await findRow(at, { project_key: project.key, id });
  return row === undefined ? null : toStoredMemory(row);
}

const findRow = prepareStatement(
  (db, value: StatementParameters<{ project_key: number; id: string }>) =>
    memoriesIn(db, value('project_key')).select(memoryColumns).where('id', '=', value('id')),
);

async function findMemories(
  at: DbContext,
  project: ProjectRef,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  const [first] = ids;
  if (first === undefined) return [];
  const find = findManyStatements.find(({ count }) => count >= ids.length);
  const rows =
    find === undefined
      ? await at.run(
          memoriesOf(at, project)
            .select(memoryColumns)
            .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
            .compile(),
        )
      : await find.run(at, { project_key: project.key, ...idParameters(ids, find.count) });
  return rows.map(toStoredMemory);
}

/** Statements for these numbers of ids, prepared because every search uses one. */
const findManyStatements = [10, 50].map((count) => ({
  count,
  run: prepareStatement((db, value: StatementParameters<MemoryIdParameters>) =>
    memoriesIn(db, value('project_key'))
      .select(memoryColumns)
      .where(
        'id',
        'in',
        Array.from({ length: count }, (_, at) => value(`id${at}`)),
      ),
  ),
}));

type MemoryIdParameters = { [id: `id${number}`]: string; project_key: number };

/** `id0`, `id1` and so on; unused ones repeat the first id. */
function idParameters(ids: readonly string[], count: number): Record<`id${number}`, string> {
  const all: Record<`id${number}`, string> = {};
  for (let at = 0; at < count; at += 1) all[`id${at}`] = ids[at] ?? ids[0] ?? '';
  return all;
}

const isActive = sql<boolean>`status = 'active'`;

type SlotOwner = EntityIds & { project_key: number };

/** The index includes the owner of the slot, usually a user. */
function slotsIn(db: Database, value: StatementParameters<SlotOwner>) {
  return memoriesIn(db, value('project_key'))
    .select(memoryColumns)
    .where('slot', 'is not', null)
    .where('replaced_by', 'is', null)
    .where(isActive)
    .where((eb) =>
      eb.and(entityIdFields.map((field) => eb(field, 'is not distinct from', value(field)))),
    );
}

async function findSlot(
  at: DbContext,
  project: ProjectRef,
  ids: EntityIds,
  slot: string,
): Promise<StoredMemory | null> {
  const { user_id, agent_id, app_id, run_id } = ids;
  const values = { project_key: project.key, slot, user_id, agent_id, app_id, run_id };
  const [row] = await findSlotRow(at, values);
  return row === undefined ? null : toStoredMemory(row);
}

const findSlotRow = prepareStatement(
  (db, value: StatementParameters<SlotOwner & { slot: string }>) =>
    slotsIn(db, value).where('slot', '=', value('slot')).orderBy('position', 'desc').limit(1),
);

async function listSlots(
  at: DbContext,
  project: ProjectRef,
  ids: EntityIds,
  limit: number,
): Promise<StoredMemory[]> {
  const { user_id, agent_id, app_id, run_id } = ids;
  const values = { project_key: project.key, user_id, agent_id, app_id, run_id, limit };
  return (await listSlotRows(at, values)).map(toStoredMemory);
}

const listSlotRows = prepareStatement(
  (db, value: StatementParameters<SlotOwner & { limit: number }>) =>
    slotsIn(db, value).orderBy('position', 'desc').limit(value('limit')),
);

async function listCategories(
  at: DbContext,
  project: ProjectRef,
  newest: number,
): Promise<string[]> {
  const rows = await memoriesOf(at, project)
    .select('categories')
    .where('status', '=', 'active')
    .orderBy('position', 'desc')
    .limit(newest)
    .execute();
  return [...new Set(rows.flatMap((row) => fromJson<string[]>(row.categories)))];
}

async function listOldestMemories(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  limit: number,
): Promise<StoredMemory[]> {
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where(selectionSql(selection, at.dialect.filter))
    .orderBy('created_at')
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(toStoredMemory);
}

async function listExpiredProjects({ db }: DbContext, before: string): Promise<ProjectRef[]> {
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

async function listExpired(
  at: DbContext,
  project: ProjectRef,
  before: string,
  limit: number,
): Promise<StoredMemory[]> {
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where('expiration_date', '<', before)
    .orderBy('expiration_date')
    .limit(limit)
    .execute();
  return rows.map(toStoredMemory);
}

function memoriesOf({ db }: DbContext, project: ProjectRef) {
  return memoriesIn(db, project.key);
}

function memoriesIn(db: Database, project_key: number) {
  return db.selectFrom('memories').where('project_key', '=', project_key);
}
