import { createHash } from 'node:crypto';
import type { Database } from '../dialects/dialect.ts';
import { readMeta } from '../tables/meta.ts';
import type { Marker } from './sides.ts';
import { movingKey } from './tables.ts';

/** How far the move into this store is; null where none has begun. */
export async function readMarker(db: Database): Promise<Marker | null> {
  const value = await readMeta(db, movingKey);
  return value === null ? null : JSON.parse(value); // as `putMarker` wrote it
}

export async function putMarker(db: Database, marker: Marker): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key: movingKey, value: JSON.stringify(marker) })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(marker) }))
    .execute();
}

export async function dropMarker(db: Database): Promise<void> {
  await db.deleteFrom('meta').where('key', '=', movingKey).execute();
}

/** Tells stores apart by the secret that each was made with, without telling it. */
export function nameOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex').slice(0, 32);
}
