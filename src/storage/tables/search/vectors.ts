import { sql } from 'kysely';
import type {
  EmbeddingModel,
  EmbeddingProgress,
  MemoryEmbedding,
  NearestVectors,
  ProjectRef,
  Selection,
  UnembeddedMemory,
  VectorTable,
} from '../../../core/ports/index.ts';
import { mapInTurns, runInTurns } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { StatementsOf } from '../../sql/statement.ts';
import {
  claimEmbeddingModel,
  deleteUnusedModels,
  findEmbeddingModel,
  markModelComplete,
  openEmbeddingModel,
  releaseEmbeddingModel,
  restartEmbeddingModel,
} from './embedding-models.ts';
import { compareTexts, getSimilarities } from './similarities.ts';

export const vectorStatements: StatementsOf<VectorTable> = {
  findModel: { scope: 'queue', run: findEmbeddingModel },
  openModel: { scope: 'queue', run: openEmbeddingModel, autocommit: true },
  markModelComplete: { scope: 'queue', run: markModelComplete, autocommit: true },
  restartModel: { scope: 'queue', run: restartEmbeddingModel, autocommit: true },
  deleteUnusedVectors: { scope: 'queue', run: deleteUnusedModels, autocommit: true },
  acquireLease: { scope: 'queue', run: claimEmbeddingModel, autocommit: true },
  releaseLease: { scope: 'queue', run: releaseEmbeddingModel, autocommit: true },
  listUnembedded: { scope: 'queue', run: findUnembedded },
  listAfter: { scope: 'queue', run: listAfter },
  put: { scope: 'queue', run: putVectors, autocommit: true },
  skipEmbedded: { scope: 'queue', run: skipEmbedded, autocommit: true },
  getProgress: { scope: 'queue', run: countPending },
  preload: { scope: { constant: null }, run: preloadVectors },
  searchNearest: { scope: 'project', run: findNearest },
  getSimilarities: { scope: 'project', run: getSimilarities },
  compareTexts: { scope: 'free', run: compareTexts }, // reads no row
  cachedBytes: { scope: { constant: 0 }, run: ({ dialect }) => dialect.vectorIndex.bytes() },
};

/** Memories that changed since they were embedded come first. */
async function findUnembedded(
  at: DbContext,
  model: EmbeddingModel,
  limit: number,
): Promise<UnembeddedMemory[] | null> {
  const rows = await unembeddedRows(at)
    .where('position', 'in', (eb) =>
      eb.selectFrom('embedding_queue').select('position').where('model_key', '=', model.key),
    )
    .limit(limit)
    .execute();
  const remaining = limit - rows.length;
  const settled = await at.dialect.vectorIndex.committedUpTo(at.db);
  if (settled === null && rows.length === 0) return null;
  const fresh = await unembeddedRows(at)
    .where('position', '<=', settled ?? 0)
    .where('position', '>', (eb) =>
      eb.selectFrom('embedding_models').select('embedded_up_to').where('key', '=', model.key),
    )
    .limit(remaining)
    .execute();
  const positions = new Set(rows.map(({ position }) => position));
  return [...rows, ...fresh.filter(({ position }) => !positions.has(position))].map(withProject);
}

async function listAfter(
  at: DbContext,
  position: number,
  limit: number,
): Promise<UnembeddedMemory[]> {
  const rows = await unembeddedRows(at).where('position', '>', position).limit(limit).execute();
  return rows.map(withProject);
}

function withProject<R extends { project_key: number }>({ project_key, ...row }: R) {
  return { ...row, project: { key: project_key } };
}

/**
 * The mark moves to just before the first memory behind it that has no vector. Where a text has
 * none because the model knows none of its words, the worker passes it.
 */
async function skipEmbedded(at: DbContext, { key }: EmbeddingModel): Promise<void> {
  const settled = await at.dialect.vectorIndex.committedUpTo(at.db);
  if (settled === null) return;
  const mark = at.db.selectFrom('embedding_models').select('embedded_up_to').where('key', '=', key);
  const hasVector = sql<boolean>`exists (select 1 from vectors
    where vectors.position = memories.position and vectors.project_key = memories.project_key
      and vectors.model_key = ${key})`;
  const behind = at.db.selectFrom('memories').where('position', '>', mark);
  const missing = await behind
    .select('position')
    .where('position', '<=', settled)
    .where(({ not }) => not(hasVector))
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  const last = await behind
    .select((eb) => eb.fn.max('position').as('position'))
    .where('position', missing === undefined ? '<=' : '<', missing?.position ?? settled)
    .executeTakeFirst();
  if (last?.position == null) return;
  await at.db
    .updateTable('embedding_models')
    .set({ embedded_up_to: last.position })
    .where('key', '=', key)
    .where('embedded_up_to', '<', last.position)
    .execute();
}

function unembeddedRows({ db }: DbContext) {
  return db
    .selectFrom('memories')
    .select(['position', 'project_key', 'memory', 'hash'])
    .orderBy('position');
}

async function putVectors(
  at: DbContext,
  model: EmbeddingModel,
  embedded: readonly MemoryEmbedding[],
): Promise<void> {
  if (embedded.length === 0) return;
  const { db, dialect } = at;
  const positions = embedded.map(({ position }) => position);
  const isAmong = dialect.filter.isIn(sql.ref('position'), positions);
  const rows = await db
    .selectFrom('memories')
    .select(['position', 'hash'])
    .where(dialect.filter.isIn(sql.ref('memories.position'), positions))
    .execute();
  const hashes = new Map(rows.map(({ position, hash }) => [position, hash]));
  await db
    .deleteFrom('embedding_queue')
    .where('model_key', '=', model.key)
    .where(isAmong)
    .execute();
  for (const [key, entries] of groupByProject(embedded, hashes)) {
    await dialect.vectorIndex.put(db, { project: { key }, model_key: model.key, entries });
  }
  const last = Math.max(...positions);
  await db
    .updateTable('embedding_models')
    .set({ embedded_up_to: last })
    .where('key', '=', model.key)
    .where('embedded_up_to', '<', last)
    .execute();
  const changed = embedded.filter(({ position, hash }) => (hashes.get(position) ?? hash) !== hash);
  for (const { position } of changed) await requestVector(at, position);
}

type VectorEntries = { position: number; vector: Float32Array }[];

/** The vectors to store, for texts that have not changed. */
function groupByProject(
  embedded: readonly MemoryEmbedding[],
  hashes: ReadonlyMap<number, string>,
): Map<number, VectorEntries> {
  const projects = new Map<number, VectorEntries>();
  for (const { position, project, hash, vector } of embedded) {
    if (vector === null || hashes.get(position) !== hash) continue;
    const entries = projects.get(project.key) ?? [];
    entries.push({ position, vector });
    projects.set(project.key, entries);
  }
  return projects;
}

type EmbeddedText = { position: number; memory: string };

/** Stores the vectors of new memories, if the store makes them itself. */
export async function insertInlineVectors(
  at: DbContext,
  project: Pick<ProjectRef, 'key'>,
  memories: readonly EmbeddedText[],
): Promise<void> {
  const embedder = at.inline?.embedder;
  if (!embedder || memories.length === 0) return;
  const embed = ({ memory }: EmbeddedText) => embedder.embed(memory);
  const vectors = await runInTurns(mapInTurns(memories, embed));
  const embedded = memories.map(({ position }, at) => ({ position, vector: vectors[at] ?? null }));
  const entries = embedded.filter((one): one is VectorEntries[number] => one.vector !== null);
  const { key } = embedder.model;
  if (entries.length > 0)
    await at.dialect.vectorIndex.insert(at, { project, model_key: key, entries });
  const positions = memories.map(({ position }) => position);
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  // A server does not do this: each add would wait for the others to change this one row.
  if (!at.dialect.isServer) await moveMark(at, { key, last, before: first - 1 });
}

/** Moves the mark of what has been embedded past new memories, if it stands right before them. */
const moveMark = prepareStatement(
  (db, value: StatementParameters<{ key: number; last: number; before: number }>) =>
    db
      .updateTable('embedding_models')
      .set({ embedded_up_to: value('last') })
      .where('key', '=', value('key'))
      .where('embedded_up_to', '=', value('before')),
);

/** Deletes the vectors of a memory whose text changed, and makes or requests new ones. */
export async function replaceVectors(
  at: DbContext,
  project: Pick<ProjectRef, 'key'>,
  memory: EmbeddedText,
): Promise<void> {
  if (!(await hasEmbeddingModels(at))) return;
  const { position } = memory;
  await at.dialect.vectorIndex.delete(at.db, [position]);
  await requestVector(at, position);
  const key = at.inline?.embedder?.model.key;
  if (key === undefined) return;
  await insertInlineVectors(at, project, [memory]);
  await at.db
    .deleteFrom('embedding_queue')
    .where('model_key', '=', key)
    .where('position', '=', position)
    .execute();
}

/** Deletes the vectors of deleted memories. */
export async function deleteVectors(at: DbContext, positions: readonly number[]): Promise<void> {
  if (!(await hasEmbeddingModels(at))) return;
  await at.dialect.vectorIndex.delete(at.db, positions);
  const isAmong = at.dialect.filter.isIn(sql.ref('position'), positions);
  await at.db.deleteFrom('embedding_queue').where(isAmong).execute();
}

/** Most stores have no model, and pay only for this query. */
export async function hasEmbeddingModels(at: DbContext): Promise<boolean> {
  return (await findAnyModel(at, {})).length > 0;
}

const findAnyModel = prepareStatement((db) =>
  db.selectFrom('embedding_models').select('key').limit(1),
);

/** Requests a new vector if a model has already passed the memory. */
async function requestVector({ db }: DbContext, position: number): Promise<void> {
  await db
    .insertInto('embedding_queue')
    .columns(['model_key', 'position'])
    .expression((eb) =>
      eb
        .selectFrom('embedding_models')
        .select(['key', eb.lit(position).as('position')])
        .where('embedded_up_to', '>=', position),
    )
    .onConflict((conflict) => conflict.columns(['model_key', 'position']).doNothing())
    .execute();
}

/** Counts the remaining memories, which are few most of the time. */
async function countPending(
  { db }: DbContext,
  { key }: EmbeddingModel,
): Promise<EmbeddingProgress> {
  const counts = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('memories')
        .select((one) => one.fn.countAll<number>().as('count'))
        .where('position', '>', (of) =>
          of.selectFrom('embedding_models').select('embedded_up_to').where('key', '=', key),
        )
        .as('fresh'),
      eb
        .selectFrom('embedding_queue')
        .select((one) => one.fn.countAll<number>().as('count'))
        .where('model_key', '=', key)
        .as('wanted'),
      eb
        .selectFrom('projects')
        .select((one) => one.fn.sum<number>('total_memories').as('count'))
        .as('total'),
    ])
    .executeTakeFirstOrThrow();
  return { pending: (counts.fresh ?? 0) + (counts.wanted ?? 0), total: counts.total ?? 0 };
}

async function findNearest(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { model, ...query }: Parameters<VectorTable['searchNearest']>[2],
): Promise<NearestVectors> {
  return at.dialect.vectorIndex.nearest(at, { ...query, project, selection, model_key: model.key });
}

function preloadVectors(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { model: { key, dimension }, size }: Parameters<VectorTable['preload']>[2],
) {
  return at.dialect.vectorIndex.preload(at, {
    project,
    selection,
    model_key: key,
    dimension,
    size,
  });
}
