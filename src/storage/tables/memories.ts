import { sql } from 'kysely';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { MemoryTable, Project, Selection, StoredMemory } from '../../core/ports.ts';
import type { Condition, Database } from '../dialects/dialect.ts';
import { selectionSql } from '../filter-sql.ts';
import { prepared, type Values } from '../prepared.ts';
import type { At } from './at.ts';
import { countMemories } from './counters.ts';
import { listLanguages } from './languages.ts';
import { memoryColumns, toMemory } from './memory-row.ts';
import {
  findAtPlaces,
  findAtPositions,
  findCandidates,
  findHappening,
  findNewest,
} from './memory-search.ts';
import { countSelected } from './memory-totals.ts';
import { deleteMemories, insertMemories, updateMemory } from './memory-writes.ts';
import { findByShortIds } from './short-ids.ts';

export function createMemoryTable(at: At): MemoryTable {
  return {
    find: (project, id) => findMemory(at, project, id),
    findMany: (project, ids) => findMemories(at, project, ids),
    findByShortIds: (project, short_ids, ids) => findByShortIds(at, project, { short_ids, ids }),
    findSame: (project, ids, hash) => findSame(at, project, { ids, hash }),
    findSlot: (project, ids, slot) => findSlot(at, project, { ids, slot }),
    listSlots: (project, ids, limit) => listSlots(at, project, { ids, limit }),
    insert: (project, memories) => insertMemories(at, project, memories),
    update: (project, id, patch) => updateMemory(at, project, { id, patch }),
    delete: (project, ids) => deleteMemories(at, project, ids),
    list: (project, selection, page) => listMemories(at, project, { ...page, selection }),
    take: (project, selection, limit) =>
      takeMemories(at, project, { limit, where: selectionSql(selection, at.dialect.filter) }),
    listExpiredProjects: (before) => listExpiredProjects(at, before),
    takeExpired: (project, before, limit) => takeExpired(at, project, { before, limit }),
    candidates: (project, selection, query) => findCandidates(at, project, { ...query, selection }),
    newest: (project, selection, made) => findNewest(at, project, { ...made, selection }),
    happening: (project, selection, within) => findHappening(at, project, { ...within, selection }),
    atPlaces: (project, selection, places) => findAtPlaces(at, project, { selection, places }),
    atPositions: (project, positions) => findAtPositions(at, project, positions),
    size: (project, ids) => countMemories(at, project, ids),
    outline: (project, ids) => outline(at, project, ids),
  };
}

/** Side by side: a server is asked for both at once. */
async function outline(at: At, project: Project, ids: Partial<EntityIds>) {
  const [size, languages] = await Promise.all([
    countMemories(at, project, ids),
    listLanguages(at, project),
  ]);
  return { size, languages };
}

async function findMemory(at: At, project: Project, id: string): Promise<StoredMemory | null> {
  const [row] = await findRow(at, { project_key: project.key, id });
  return row === undefined ? null : toMemory(row);
}

const findRow = prepared((db, value: Values<{ project_key: number; id: string }>) =>
  memoriesIn(db, value('project_key')).select(memoryColumns).where('id', '=', value('id')),
);

async function findMemories(
  at: At,
  project: Project,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  const [first] = ids;
  if (first === undefined) return [];
  const find = findSome.find(({ count }) => count >= ids.length);
  const rows =
    find === undefined
      ? await at.run(
          memoriesOf(at, project)
            .select(memoryColumns)
            .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
            .compile(),
        )
      : await find.run(at, { project_key: project.key, ...numbered(ids, find.count) });
  return rows.map(toMemory);
}

/** Statements for so many ids, built once: what a search answers is read with each. */
const findSome = [10, 50].map((count) => ({
  count,
  run: prepared((db, value: Values<Some>) =>
    memoriesIn(db, value('project_key'))
      .select(memoryColumns)
      .where(
        'id',
        'in',
        Array.from({ length: count }, (_, at) => value(`id${at}`)),
      ),
  ),
}));

type Some = { [id: `id${number}`]: string; project_key: number };

/** `id0`, `id1` and so on; those that are left over are the first once more. */
function numbered(ids: readonly string[], count: number): Record<`id${number}`, string> {
  const all: Record<`id${number}`, string> = {};
  for (let at = 0; at < count; at += 1) all[`id${at}`] = ids[at] ?? ids[0] ?? '';
  return all;
}

async function findSame(
  at: At,
  project: Project,
  { ids, hash }: { ids: EntityIds; hash: string },
): Promise<StoredMemory | null> {
  const { user_id, agent_id, app_id, run_id } = ids;
  const values = { project_key: project.key, hash, user_id, agent_id, app_id, run_id };
  const [row] = await findSameRow(at, values);
  return row === undefined ? null : toMemory(row);
}

type Same = EntityIds & { project_key: number; hash: string };

const findSameRow = prepared((db, value: Values<Same>) =>
  memoriesIn(db, value('project_key'))
    .select(memoryColumns)
    .where('hash', '=', value('hash'))
    .where('replaced_by', 'is', null)
    .where((eb) =>
      eb.and(entityIdFields.map((field) => eb(field, 'is not distinct from', value(field)))),
    )
    .orderBy('expiration_date', (order) => order.desc().nullsFirst())
    .orderBy('position')
    .limit(1),
);

type Owned = EntityIds & { project_key: number };

/** A memory that fills a slot has its owner in the index, most often a user. */
function slotsIn(db: Database, value: Values<Owned>) {
  return memoriesIn(db, value('project_key'))
    .select(memoryColumns)
    .where('slot', 'is not', null)
    .where('replaced_by', 'is', null)
    .where((eb) =>
      eb.and(entityIdFields.map((field) => eb(field, 'is not distinct from', value(field)))),
    );
}

async function findSlot(
  at: At,
  project: Project,
  { ids, slot }: { ids: EntityIds; slot: string },
): Promise<StoredMemory | null> {
  const { user_id, agent_id, app_id, run_id } = ids;
  const values = { project_key: project.key, slot, user_id, agent_id, app_id, run_id };
  const [row] = await findSlotRow(at, values);
  return row === undefined ? null : toMemory(row);
}

const findSlotRow = prepared((db, value: Values<Owned & { slot: string }>) =>
  slotsIn(db, value).where('slot', '=', value('slot')).orderBy('position', 'desc').limit(1),
);

async function listSlots(
  at: At,
  project: Project,
  { ids, limit }: { ids: EntityIds; limit: number },
): Promise<StoredMemory[]> {
  const { user_id, agent_id, app_id, run_id } = ids;
  const values = { project_key: project.key, user_id, agent_id, app_id, run_id, limit };
  return (await listSlotRows(at, values)).map(toMemory);
}

const listSlotRows = prepared((db, value: Values<Owned & { limit: number }>) =>
  slotsIn(db, value).orderBy('position', 'desc').limit(value('limit')),
);

type PageOf = { selection: Selection; page: number; page_size: number };

async function listMemories(
  at: At,
  project: Project,
  { selection, page, page_size }: PageOf,
): Promise<{ results: StoredMemory[]; total: number }> {
  const offset = (page - 1) * page_size;
  const rows = await memoriesOf(at, project)
    .select(memoryColumns)
    .where(selectionSql(selection, at.dialect.filter))
    .orderBy('created_at', 'desc')
    .orderBy('position', 'desc')
    .limit(page_size)
    .offset(offset)
    .execute();
  const isLast = rows.length < page_size && (rows.length > 0 || page === 1);
  const shown = offset + rows.length;
  const total = isLast ? shown : await countSelected(at, project, selection);
  return { results: rows.map(toMemory), total: rows.length > 0 ? Math.max(shown, total) : total };
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
  return memoriesIn(db, project.key);
}

function memoriesIn(db: Database, project_key: number) {
  return db.selectFrom('memories').where('project_key', '=', project_key);
}
