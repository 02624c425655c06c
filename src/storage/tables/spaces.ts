import type { Selectable } from 'kysely';
import type { VectorSpace, VectorTable } from '../../core/ports.ts';
import { prepared, type Values } from '../prepared.ts';
import type { SpaceRow } from '../schema.ts';
import type { At } from './at.ts';

export async function findSpace(at: At, name: string): Promise<VectorSpace | null> {
  const [row] = await findNamed(at, { name });
  return row === undefined ? null : toSpace(row);
}

const findNamed = prepared((db, value: Values<{ name: string }>) =>
  db.selectFrom('spaces').selectAll().where('name', '=', value('name')),
);

export async function openSpace(
  at: At,
  { name, dimension, scale }: Parameters<VectorTable['openSpace']>[0],
  now: string,
): Promise<VectorSpace> {
  const known = await findSpace(at, name);
  if (known?.dimension === dimension) return known;
  // Its vectors are of no use to anybody, and are deleted as those of an unused space.
  if (known !== null) await retire(at, known);
  const row = await at.db
    .insertInto('spaces')
    .values({
      name,
      dimension,
      ...scale,
      complete: 0,
      done_to: 0,
      used_at: now,
      lease_owner: null,
      lease_until: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toSpace(row);
}

async function retire({ db }: At, { key, name }: VectorSpace): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ name: `${name} (${key})`, used_at: '' })
    .where('key', '=', key)
    .execute();
}

export async function completeSpace({ db }: At, { key }: VectorSpace): Promise<void> {
  await db.updateTable('spaces').set({ complete: 1 }).where('key', '=', key).execute();
}

export async function restartSpace({ db }: At, { key }: VectorSpace): Promise<void> {
  await db.updateTable('spaces').set({ done_to: 0 }).where('key', '=', key).execute();
}

export async function retireSpaces(
  { db, dialect }: At,
  unused_since: string,
  limit: number,
): Promise<number> {
  const unused = await db
    .selectFrom('spaces')
    .select('key')
    .where('used_at', '<', unused_since)
    .limit(1)
    .executeTakeFirst();
  if (unused === undefined) return 0;
  const deleted = await dialect.vectors.clear(db, { space: unused.key, limit });
  if (deleted > 0) return deleted;
  await db.deleteFrom('vectors_wanted').where('space_key', '=', unused.key).execute();
  await db.deleteFrom('spaces').where('key', '=', unused.key).execute();
  return 0;
}

export async function claimSpace(
  { db }: At,
  { key }: VectorSpace,
  { owner, now, until }: Parameters<VectorTable['claim']>[1],
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('spaces')
    .set({ lease_owner: owner, lease_until: until, used_at: now })
    .where('key', '=', key)
    .where((eb) =>
      eb.or([
        eb('lease_until', 'is', null),
        eb('lease_until', '<=', now),
        eb('lease_owner', '=', owner),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function releaseSpace({ db }: At, { key }: VectorSpace, owner: string): Promise<void> {
  await db
    .updateTable('spaces')
    .set({ lease_owner: null, lease_until: null })
    .where('key', '=', key)
    .where('lease_owner', '=', owner)
    .execute();
}

function toSpace({ key, name, dimension, ...row }: Selectable<SpaceRow>): VectorSpace {
  const { unrelated, related, trust } = row;
  const scale = { unrelated, related, trust };
  return { key, name, dimension, scale, complete: row.complete === 1 };
}
