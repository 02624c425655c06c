import { type Insertable, sql } from 'kysely';
import type { EntityIds } from '../../../contract/schemas/entity.ts';
import type {
  IndexTerms,
  Instant,
  MemoryPatch,
  NewMemory,
  ProjectRef,
  RecordedChange,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { TextIndexEntry } from '../../sql/dialect.ts';
import { insertRows } from '../../sql/insert-rows.ts';
import { parametersOf, prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { MemoryRow } from '../../sql/schema.ts';
import { entityRefsOf, findEntityKeys } from '../entities/entity-keys.ts';
import {
  addToCounters,
  type EntityKeyLookup,
  subtractFromCounters,
} from '../entities/memory-counters.ts';
import { scopeTokens } from '../search/scope-tokens.ts';
import { deleteVectors, insertInlineVectors, replaceVectors } from '../search/vectors.ts';
import { keepVersions } from './keep-versions.ts';
import { insertedMemoryColumns, toMemoryRow, toMemoryRowPatch } from './memory-row.ts';
import { versionTexts } from './version-texts.ts';

export type MemoryInsert = {
  /** Some say since when they were held, which counts for them instead of the change. */
  memories: readonly (NewMemory & { recorded_from?: Instant | undefined })[];
  /** Without one, each is recorded at its `updated_at`. */
  change?: RecordedChange | undefined;
};

export async function insertMemoryRows(
  at: DbContext,
  project: ProjectRef,
  memories: MemoryInsert['memories'],
  change?: RecordedChange,
): Promise<void> {
  if (memories.length === 0) return;
  const [keyOf, positionOf] = await inParallelOnServer(at, [
    () => addToCounters(at, project, memories),
    () => insertWithRunPlaces(at, project, { memories, change }),
  ]);
  await indexMemories(at, project, { memories, keyOf, positionOf });
}

/** Sends both to a server at once. A rollback waits until both have ended. */
async function inParallelOnServer<A, B>(
  { dialect }: DbContext,
  [one, other]: [() => Promise<A>, () => Promise<B>],
): Promise<[A, B]> {
  // After a rollback of a file, a statement that is still running would take effect.
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

/** Inserts memories that are already counted. */
export async function insertCountedRows(
  at: DbContext,
  project: ProjectRef,
  { keyOf, ...insert }: MemoryInsert & { keyOf: EntityKeyLookup },
): Promise<void> {
  const { memories } = insert;
  const positionOf = await insertWithRunPlaces(at, project, insert);
  await indexMemories(at, project, { memories, keyOf, positionOf });
}

async function insertWithRunPlaces(
  at: DbContext,
  project: ProjectRef,
  { memories, change }: MemoryInsert,
): Promise<PositionOf> {
  const placed = await assignRunPlaces(at, project, memories);
  const changeOf = ({ updated_at, recorded_from }: (typeof placed)[number]) => {
    if (recorded_from !== undefined) return { at: recorded_from, event_id: null };
    return change ?? { at: updated_at, event_id: null };
  };
  const inserted = await insertRows(at, 'memories', {
    rows: placed.map((memory) => toMemoryRow(project, memory, changeOf(memory))),
    one: (memory) => insertRow(at, memory),
  });
  const positions = new Map(inserted.map(({ id, position }) => [id, position]));
  return ({ id }) => {
    const position = positions.get(id);
    if (position === undefined) throw new Error('an inserted memory was not returned');
    return position;
  };
}

type InsertedMemories = {
  memories: readonly NewMemory[];
  keyOf: EntityKeyLookup;
  positionOf: PositionOf;
};

async function indexMemories(
  at: DbContext,
  project: ProjectRef,
  { memories, keyOf, positionOf }: InsertedMemories,
): Promise<void> {
  const entries = memories.map((memory): TextIndexEntry => {
    return {
      position: positionOf(memory),
      scope: scopeTokens(project, entityRefsOf(memory).map(keyOf)),
      terms: memory.terms,
      speaker_terms: memory.speaker_terms,
    };
  });
  await at.dialect.textIndex.insert(at, entries);
  const texts = memories.map((one) => ({ position: positionOf(one), memory: one.memory }));
  await insertInlineVectors(at, project, texts);
}

const insertRow = prepareStatement((db, value: StatementParameters<Insertable<MemoryRow>>) =>
  db
    .insertInto('memories')
    .values(parametersOf(insertedMemoryColumns, value))
    .returning(['id', 'position']),
);

type PlacedMemory<M extends NewMemory> = M & { run_position: number | null };

/** Assigns each memory the place after the last one of its run. */
async function assignRunPlaces<M extends NewMemory>(
  at: DbContext,
  project: ProjectRef,
  memories: readonly M[],
): Promise<PlacedMemory<M>[]> {
  const last = new Map<string, number>();
  const placed: PlacedMemory<M>[] = [];
  for (const memory of memories) {
    const { run_id } = memory;
    if (run_id === null) {
      placed.push({ ...memory, run_position: null });
      continue;
    }
    const run_position = (last.get(run_id) ?? (await readLastRunPlace(at, project, run_id))) + 1;
    last.set(run_id, run_position);
    placed.push({ ...memory, run_position });
  }
  return placed;
}

async function readLastRunPlace(
  at: DbContext,
  project: ProjectRef,
  run_id: string,
): Promise<number> {
  const [row] = await findLastRunPlace(at, { project_key: project.key, run_id });
  return row?.last ?? 0;
}

const findLastRunPlace = prepareStatement(
  (db, value: StatementParameters<{ project_key: number; run_id: string }>) =>
    db
      .selectFrom('memories')
      .select((eb) => eb.fn.max('run_position').as('last'))
      .where('project_key', '=', value('project_key'))
      .where('run_id', '=', value('run_id')),
);

export async function updateMemoryRow(
  at: DbContext,
  project: ProjectRef,
  id: string,
  patch: MemoryPatch,
): Promise<void> {
  const { superseded_at = null } = patch;
  const change = patch.change ?? { at: patch.updated_at, event_id: null };
  const [version] = await keepVersions(at, project, {
    ids: [id],
    change,
    keepsTexts: versionTexts.every((name) => patch[name] === undefined),
    superseded_at,
  });
  if (version === undefined) return;
  const row = await at.db
    .updateTable('memories')
    .set({ ...toMemoryRowPatch(patch), recorded_from: version.recorded_until })
    .set({ recorded_by: change.event_id })
    .where('project_key', '=', project.key)
    .where('id', '=', id)
    .returning(['position', 'memory', 'user_id', 'agent_id', 'app_id', 'run_id'])
    .returning(['terms', 'speaker_terms'])
    .executeTakeFirst();
  if (row === undefined || patch.terms === undefined) return;
  await updateTerms(at, project, row);
  await replaceVectors(at, project, row);
}

/** Updates the word index with the terms in the row of a memory. */
export async function updateTerms(
  at: DbContext,
  project: ProjectRef,
  memory: EntityIds & IndexTerms & { position: number },
): Promise<void> {
  const { position, terms, speaker_terms } = memory;
  const scope = scopeTokens(project, await readEntityKeys(at, project, memory));
  await at.dialect.textIndex.replace(at.db, { position, scope, terms, speaker_terms });
}

async function readEntityKeys(
  at: DbContext,
  project: ProjectRef,
  ids: EntityIds,
): Promise<number[]> {
  const keys: number[] = [];
  for (const { type, id } of entityRefsOf(ids)) {
    keys.push(...(await findEntityKeys(at, project, { type, ids: [id] })));
  }
  return keys;
}

export async function deleteMemoryRows(
  at: DbContext,
  project: ProjectRef,
  ids: readonly string[],
  change?: RecordedChange,
): Promise<void> {
  if (ids.length === 0) return;
  if (change !== undefined) await keepVersions(at, project, { ids, change });
  const rows = await at.db
    .deleteFrom('memories')
    .where('project_key', '=', project.key)
    .where(at.dialect.filter.isIn(sql.ref('memories.id'), ids))
    .returning(['position', 'user_id', 'agent_id', 'app_id', 'run_id'])
    .execute();
  if (rows.length === 0) return;
  const positions = rows.map(({ position }) => position);
  await at.dialect.textIndex.delete(at.db, positions);
  await deleteVectors(at, positions);
  await subtractFromCounters(at, project, rows);
}
