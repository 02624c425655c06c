import type { Caller } from '../../contract.ts';
import type { StoredKey } from './tenants.ts';
import type { Instant } from './time.ts';

/** The caller of a one-time link: an account, with what the link allows. */
export type LinkCaller = Pick<Caller, 'org_id' | 'project_id' | 'bound_to' | 'read_only'> & {
  account_id: string;
};

/** The owner of a session: an API key, which may be revoked, or the rights of a one-time link. */
export type SessionOwner = { key_id: string } | { link: LinkCaller };

/** A session of a browser. Only hashes are stored of the random texts that the browser has. */
export type StoredSession = {
  hash: string;
  proof_hash: string;
  owner: SessionOwner;
  ends_at: Instant;
};

/** The fields that decide which caller a key authenticates. */
export type KeyRights = Pick<
  StoredKey,
  'key_id' | 'account_id' | 'org_id' | 'project_id' | 'read_only' | 'expires_at' | 'revoked_at'
>;

/** A session with what it stands for now; the key may be revoked. */
export type FoundSession = Pick<StoredSession, 'proof_hash' | 'ends_at'> & {
  owner: { key: KeyRights } | { link: LinkCaller };
};

export type SessionTable = {
  /** Null without a session of this hash, or if its key or account is gone. */
  find(hash: string): Promise<FoundSession | null>;
  insert(session: StoredSession): Promise<void>;
  delete(hash: string): Promise<void>;
  /** Deletes the sessions of a key, or those of all links, except this many newest ones. */
  deleteOldest(owner: SessionOwner, kept: number): Promise<void>;
  /** Deletes what ended by then; returns how many. */
  deleteEnded(now: Instant): Promise<number>;
  count(): Promise<number>;
};
