import { type Insertable, sql } from 'kysely';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { IndexTerms, MemoryPatch, NewMemory, ProjectRef } from '../../core/ports/index.ts';
import type { IndexEntry } from '../dialects/dialect.ts';
import { prepared, row, type Values } from '../prepared.ts';
import type { MemoryRow } from '../schema.ts';
import type { At } from './at.ts';
import { countIn, countOut, type EntityKeys } from './counters.ts';
import { entitiesOf, findEntityKeys } from './entity-keys.ts';
import { insertRows } from './insert-rows.ts';
import { rowColumns, toRow, toRowPatch } from './memory-row.ts';
import { scopeTokens } from './search-scope.ts';
import { deleteVectors, renewVectors } from './vectors.ts';

export async function insertMemories(
  at: At,
  project: ProjectRef,
  memories: readonly NewMemory[],
): Promise<void> {
  if (memories.length === 0) return;
  const [keyOf, positionOf] = await sideBySide(at, [
    () => countIn(at, project, memories),
    () => insertPlaced(at, project, memories),
  ]);
  await index(at, project, { memories, keyOf, positionOf });
}

/** Asks a server for both at once. What goes wrong is undone when nothing is under way. */
async function sideBySide<A, B>(
  { dialect }: At,
  [one, other]: [() => Promise<A>, () => Promise<B>],
): Promise<[A, B]> {
  // A file that gives up a transaction would keep what comes after as it is.
  if (!dialect.isServer) return [await one(), await other()];
  const both = [one(), other()] as const;
  try {
    return await Promise.all(both);
  } catch (error) {
    await Promise.allSettled(both);
    throw error;
  }
}

type PositionOf = (memory: NewMemory) => number;

/** Inserts memories that are counted to their entities already. */
export async function insertCounted(
  at: At,
  project: ProjectRef,
  { memories, keyOf }: { memories: readonly NewMemory[]; keyOf: EntityKeys },
): Promise<void> {
  const positionOf = await insertPlaced(at, project, memories);
  await index(at, project, { memories, keyOf, positionOf });
}

async function insertPlaced(
  at: At,
  project: ProjectRef,
  memories: readonly NewMemory[],
): Promise<PositionOf> {
  const placed = await placeInRuns(at, project, memories);
  const inserted = await insertRows(at, 'memories', {
    rows: placed.map((memory) => toRow(project, memory)),
    one: (memory) => insertRow(at, memory),
  });
  const positions = new Map(inserted.map(({ id, position }) => [id, position]));
  return ({ id }) => {
    const position = positions.get(id);
    if (position === undefined) throw new Error('an inserted memory was not returned');
    return position;
  };
}

type Inserted = { memories: readonly NewMemory[]; keyOf: EntityKeys; positionOf: PositionOf };

async function index(
  at: At,
  project: ProjectRef,
  { memories, keyOf, positionOf }: Inserted,
): Promise<void> {
  const entries = memories.map((memory): IndexEntry => {
    return {
      position: positionOf(memory),
      scope: scopeTokens(project, entitiesOf(memory).map(keyOf)),
      terms: memory.terms,
      speaker_terms: memory.speaker_terms,
    };
  });
  await at.dialect.index.insert(at, entries);
}

const insertRow = prepared((db, value: Values<Insertable<MemoryRow>>) =>
  db.insertInto('memories').values(row(rowColumns, value)).returning(['id', 'position']),
);

type Placed = NewMemory & { place: number | null };

/** Gives each memory the place after the last one of its run. */
async function placeInRuns(
  at: At,
  project: ProjectRef,
  memories: readonly NewMemory[],
): Promise<Placed[]> {
  const last = new Map<string, number>();
  const placed: Placed[] = [];
  for (const memory of memories) {
    const { run_id } = memory;
    if (run_id === null) {
      placed.push({ ...memory, place: null });
      continue;
    }
    const place = (last.get(run_id) ?? (await lastPlace(at, project, run_id))) + 1;
    last.set(run_id, place);
    placed.push({ ...memory, place });
  }
  return placed;
}

async function lastPlace(at: At, project: ProjectRef, run_id: string): Promise<number> {
  const [row] = await findLastPlace(at, { project_key: project.key, run_id });
  return row?.last ?? 0;
}

const findLastPlace = prepared((db, value: Values<{ project_key: number; run_id: string }>) =>
  db
    .selectFrom('memories')
    .select((eb) => eb.fn.max('place').as('last'))
    .where('project_key', '=', value('project_key'))
    .where('run_id', '=', value('run_id')),
);

export async function updateMemory(
  at: At,
  project: ProjectRef,
  { id, patch }: { id: string; patch: MemoryPatch },
): Promise<void> {
  const row = await at.db
    .updateTable('memories')
    .set(toRowPatch(patch))
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .returning(['position', 'user_id', 'agent_id', 'app_id', 'run_id', 'terms', 'speaker_terms'])
    .executeTakeFirst();
  if (row === undefined || patch.terms === undefined) return;
  await updateTerms(at, project, row);
  await renewVectors(at, row.position);
}

/** Brings the index up to date with what a memory has in its row. */
export async function updateTerms(
  at: At,
  project: ProjectRef,
  memory: EntityIds & IndexTerms & { position: number },
): Promise<void> {
  const { position, terms, speaker_terms } = memory;
  const scope = scopeTokens(project, await keysOf(at, project, memory));
  await at.dialect.index.replace(at.db, { position, scope, terms, speaker_terms });
}

async function keysOf(at: At, project: ProjectRef, ids: EntityIds): Promise<number[]> {
  const keys: number[] = [];
  for (const { type, id } of entitiesOf(ids)) {
    keys.push(...(await findEntityKeys(at, project, { type, ids: [id] })));
  }
  return keys;
}

export async function deleteMemories(
  at: At,
  project: ProjectRef,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await at.db
    .deleteFrom('memories')
    .where('project_key', '=', project.key)
    .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
    .returning(['position', 'user_id', 'agent_id', 'app_id', 'run_id'])
    .execute();
  if (rows.length === 0) return;
  const positions = rows.map(({ position }) => position);
  await at.dialect.index.delete(at.db, positions);
  await deleteVectors(at, positions);
  await countOut(at, project, rows);
}
