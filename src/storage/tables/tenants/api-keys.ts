import { type Selectable, sql } from 'kysely';
import type { Instant, KeyTable, StoredKey } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { ApiKeyRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const apiKeyStatements: StatementsOf<KeyTable> = {
  findByHash: { scope: 'tenants', run: findApiKey },
  insert: { scope: 'tenants', run: insertApiKey },
  list: { scope: 'tenants', run: listApiKeys },
  revoke: { scope: 'tenants', run: revokeApiKey },
  touch: { scope: 'free', run: touchApiKeys }, // a note that nobody waits for
};

async function findApiKey({ db }: DbContext, hash: string): Promise<StoredKey | null> {
  const keys = db.selectFrom('api_keys').selectAll().where('hash', '=', hash);
  const row = await keys.executeTakeFirst();
  return row === undefined ? null : toStoredKey(row);
}

async function insertApiKey({ db }: DbContext, { read_only, ...key }: StoredKey): Promise<void> {
  await db
    .insertInto('api_keys')
    .values({ ...key, read_only: read_only ? 1 : 0 })
    .execute();
}

async function listApiKeys({ db }: DbContext): Promise<StoredKey[]> {
  const rows = await db.selectFrom('api_keys').selectAll().orderBy('position', 'desc').execute();
  return rows.map(toStoredKey);
}

/** Ends its sessions too. A key that is already revoked keeps its first time. */
async function revokeApiKey({ db }: DbContext, key_id: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set({ revoked_at: sql`coalesce(revoked_at, ${now})` })
    .where('key_id', '=', key_id)
    .executeTakeFirst();
  await db.deleteFrom('sessions').where('key_id', '=', key_id).execute();
  return numUpdatedRows > 0n;
}

async function touchApiKeys(
  { db, dialect }: DbContext,
  key_ids: readonly string[],
  now: Instant,
): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where(dialect.filter.isIn(sql.ref('api_keys.key_id'), key_ids))
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute();
}

function toStoredKey({ position: _, ...row }: Selectable<ApiKeyRow>): StoredKey {
  return { ...row, read_only: row.read_only === 1 };
}
