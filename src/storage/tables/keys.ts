import { type Selectable, sql } from 'kysely';
import type { Instant, KeyTable, StoredKey } from '../../core/ports/index.ts';
import type { KeyRow } from '../schema.ts';
import type { At } from './at.ts';

export function createKeyTable(at: At): KeyTable {
  return {
    findByHash: (hash) => findKey(at, hash),
    insert: (key) => insertKey(at, key),
    list: () => listKeys(at),
    revoke: (key_id, now) => revokeKey(at, key_id, now),
    touch: (key_ids, now) => touchKeys(at, key_ids, now),
  };
}

async function findKey({ db }: At, hash: string): Promise<StoredKey | null> {
  const keys = db.selectFrom('keys').selectAll().where('hash', '=', hash);
  const row = await keys.executeTakeFirst();
  return row === undefined ? null : toKey(row);
}

async function insertKey({ db }: At, { read_only, ...key }: StoredKey): Promise<void> {
  await db
    .insertInto('keys')
    .values({ ...key, read_only: read_only ? 1 : 0 })
    .execute();
}

async function listKeys({ db }: At): Promise<StoredKey[]> {
  const rows = await db.selectFrom('keys').selectAll().orderBy('position', 'desc').execute();
  return rows.map(toKey);
}

/** A key that was revoked before keeps its first time. */
async function revokeKey({ db }: At, key_id: string, now: Instant): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('keys')
    .set({ revoked_at: sql`coalesce(revoked_at, ${now})` })
    .where('key_id', '=', key_id)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function touchKeys(
  { db, dialect }: At,
  key_ids: readonly string[],
  now: Instant,
): Promise<void> {
  await db
    .updateTable('keys')
    .set({ last_used_at: now })
    .where(dialect.filter.isIn(sql.ref('keys.key_id'), key_ids))
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', now)]))
    .execute();
}

function toKey({ position: _, ...row }: Selectable<KeyRow>): StoredKey {
  return { ...row, read_only: row.read_only === 1 };
}
