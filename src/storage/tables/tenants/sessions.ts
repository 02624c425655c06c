import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  FoundSession,
  Instant,
  LinkCaller,
  SessionOwner,
  SessionTable,
  StoredSession,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { deleteRowsInChunks } from '../../sql/delete-in-chunks.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const sessionStatements: StatementsOf<SessionTable> = {
  find: { scope: 'tenants', run: findSession },
  insert: { scope: 'tenants', run: insertSession },
  delete: { scope: 'tenants', run: deleteSession },
  deleteOldest: { scope: 'tenants', run: deleteOldestSessions },
  deleteEnded: { scope: 'free', run: deleteEndedSessions },
  count: { scope: 'tenants', run: countSessions },
};

/** One statement, so that a request with a session costs no more than one with a key. */
async function findSession({ db }: DbContext, hash: string): Promise<FoundSession | null> {
  const row = await db
    .selectFrom('sessions')
    .leftJoin('api_keys', 'api_keys.key_id', 'sessions.key_id')
    .leftJoin('accounts', 'accounts.account_id', 'sessions.account_id')
    .select(['sessions.proof_hash', 'sessions.ends_at', 'sessions.rights'])
    .select(['api_keys.key_id', 'api_keys.account_id as key_account_id'])
    .select(['api_keys.org_id', 'api_keys.project_id', 'api_keys.read_only'])
    .select(['api_keys.expires_at', 'api_keys.revoked_at', 'accounts.account_id'])
    .where('sessions.hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { proof_hash, ends_at, rights, account_id, key_id, key_account_id, ...key } = row;
  if (key_id !== null && key_account_id !== null) {
    const read_only = key.read_only === 1;
    return {
      proof_hash,
      ends_at,
      owner: { key: { ...key, key_id, account_id: key_account_id, read_only } },
    };
  }
  if (account_id === null || rights === null) return null;
  return {
    proof_hash,
    ends_at,
    owner: { link: { account_id, ...fromJson<LinkSessionRights>(rights) } },
  };
}

type LinkSessionRights = StrictOmit<LinkCaller, 'account_id'>;

async function insertSession(
  { db }: DbContext,
  { owner, ...session }: StoredSession,
): Promise<void> {
  await db
    .insertInto('sessions')
    .values({ ...session, ...ownerColumns(owner) })
    .execute();
}

function ownerColumns(owner: SessionOwner) {
  if ('key_id' in owner) return { key_id: owner.key_id, account_id: null, rights: null };
  const { account_id, ...rights } = owner.link;
  return { key_id: null, account_id, rights: toJson(rights) };
}

async function deleteSession({ db }: DbContext, hash: string): Promise<void> {
  await db.deleteFrom('sessions').where('hash', '=', hash).execute();
}

async function deleteOldestSessions(
  { db }: DbContext,
  owner: SessionOwner,
  sessionsMax: number,
): Promise<void> {
  const { key_id } = ownerColumns(owner);
  const ownerSessions = db
    .selectFrom('sessions')
    .select('position')
    .where('key_id', key_id === null ? 'is' : '=', key_id)
    .orderBy('position', 'desc');
  const oldestKept = await ownerSessions.offset(sessionsMax).limit(1).executeTakeFirst();
  if (oldestKept === undefined) return;
  await db
    .deleteFrom('sessions')
    .where('key_id', key_id === null ? 'is' : '=', key_id)
    .where('position', '<=', oldestKept.position)
    .execute();
}

async function deleteEndedSessions({ db }: DbContext, now: Instant): Promise<number> {
  return deleteRowsInChunks(async (limit) => {
    const { numDeletedRows } = await db
      .deleteFrom('sessions')
      .where('position', 'in', (eb) =>
        eb.selectFrom('sessions').select('position').where('ends_at', '<=', now).limit(limit),
      )
      .executeTakeFirst();
    return Number(numDeletedRows);
  });
}

async function countSessions({ db }: DbContext): Promise<number> {
  const { total } = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}
