import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { metaKeys } from '../../sql/schema/meta-keys.ts';

/** The secret that was created with the store. */
export async function getSecret({ db }: DbContext): Promise<string> {
  const secret = await readMeta(db, metaKeys.secret);
  if (secret === null) throw new Error('every store is made with a secret');
  return secret;
}

/** The value that the store keeps under a key; null if there is none. */
export async function readMeta(db: Database, key: string): Promise<string | null> {
  const row = await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Keeps a value under a key, instead of the one before. */
export async function writeMeta(db: Database, key: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
