import { createHash } from 'node:crypto';
import type { Database } from '../sql/dialect.ts';
import { metaKeys } from '../sql/schema/meta-keys.ts';
import { readMeta } from '../tables/system/meta.ts';
import type { TransferCheckpoint } from './endpoints.ts';

/** The progress of the move into this store; null if none has begun. */
export async function readCheckpoint(db: Database): Promise<TransferCheckpoint | null> {
  const value = await readMeta(db, metaKeys.transfer);
  return value === null ? null : JSON.parse(value); // written by `writeCheckpoint`
}

export async function writeCheckpoint(db: Database, marker: TransferCheckpoint): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: metaKeys.transfer, value: JSON.stringify(marker) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(marker) }))
    .execute();
}

export async function deleteCheckpoint(db: Database): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', metaKeys.transfer).execute();
}

/** Identifies a store by a hash of its secret. */
export function storeIdOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}
