import type { Selectable } from 'kysely';
import type { EmbeddingModel, Instant, VectorTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { EmbeddingModelRow } from '../../sql/schema.ts';

export async function findEmbeddingModel(
  at: DbContext,
  name: string,
): Promise<EmbeddingModel | null> {
  const [row] = await findModelByName(at, { name });
  return row === undefined ? null : toEmbeddingModel(row);
}

const findModelByName = prepareStatement((db, value: StatementParameters<{ name: string }>) =>
  db.selectFrom('embedding_models').selectAll().where('name', '=', value('name')),
);

export async function openEmbeddingModel(
  at: DbContext,
  { name, dimension, scale }: Parameters<VectorTable['openModel']>[0],
  now: string,
): Promise<EmbeddingModel> {
  const storedModel = await findEmbeddingModel(at, name);
  if (storedModel?.dimension === dimension) return storedModel;
  // Its vectors are unusable, and are deleted like those of an unused model.
  if (storedModel !== null) await renameReplacedModel(at, storedModel);
  const row = await at.db
    .insertInto('embedding_models')
    .values({
      name,
      dimension,
      ...scale,
      is_complete: 0,
      embedded_up_to: 0,
      last_used_at: now,
      lease_owner: null,
      lease_until: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toEmbeddingModel(row);
}

async function renameReplacedModel(
  { db }: DbContext,
  { key, name }: EmbeddingModel,
): Promise<void> {
  await db
    .updateTable('embedding_models')
    .set({ name: `${name} (${key})`, last_used_at: '' })
    .where('key', '=', key)
    .execute();
}

export async function markModelComplete({ db }: DbContext, { key }: EmbeddingModel): Promise<void> {
  await db.updateTable('embedding_models').set({ is_complete: 1 }).where('key', '=', key).execute();
}

export async function restartEmbeddingModel(
  { db }: DbContext,
  { key }: EmbeddingModel,
): Promise<void> {
  await db
    .updateTable('embedding_models')
    .set({ embedded_up_to: 0 })
    .where('key', '=', key)
    .execute();
}

export async function deleteUnusedModels(
  { db, dialect }: DbContext,
  unused_since: string,
  limit: number,
): Promise<number> {
  const unused = await db
    .selectFrom('embedding_models')
    .select('key')
    .where('last_used_at', '<', unused_since)
    .limit(1)
    .executeTakeFirst();
  if (unused === undefined) return 0;
  const deleted = await dialect.vectorIndex.clear(db, { model_key: unused.key, limit });
  if (deleted > 0) return deleted;
  await db.deleteFrom('embedding_queue').where('model_key', '=', unused.key).execute();
  await db.deleteFrom('embedding_models').where('key', '=', unused.key).execute();
  return 0;
}

export async function claimEmbeddingModel(
  { db }: DbContext,
  { key }: EmbeddingModel,
  { owner, now, until }: Parameters<VectorTable['acquireLease']>[1],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('embedding_models')
    .set({ lease_owner: owner, lease_until: until, last_used_at: now })
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', now),
        eb('lease_until', '>', latestLease(until)),
        eb('lease_owner', '=', owner),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The clocks of several machines differ, so a lease may be a little longer than one of now. */
function latestLease(until: Instant): Instant {
  return new Date(Date.parse(until) + clockSkewMaxMs).toISOString();
}

const clockSkewMaxMs = 60_000;

export async function releaseEmbeddingModel(
  { db }: DbContext,
  { key }: EmbeddingModel,
  owner: string,
): Promise<void> {
  await db
    .updateTable('embedding_models')
    .set({ lease_owner: null, lease_until: null })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute();
}

function toEmbeddingModel({
  key,
  name,
  dimension,
  ...row
}: Selectable<EmbeddingModelRow>): EmbeddingModel {
  const { unrelated, related, trust } = row;
  const scale = { unrelated, related, trust };
  return { key, name, dimension, scale, complete: row.is_complete === 1 };
}
