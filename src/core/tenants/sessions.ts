import { ApiError } from '../../contract/errors.ts';
import type { Caller } from '../../contract.ts';
import type { FoundSession, StoredSession } from '../ports/index.ts';
import type { KeyEngine } from './key-admin.ts';
import { toKeyOwner } from './keys.ts';

/** Maximum number of sessions of one key, or of all links; its oldest ends first. */
const sessionsOfKeyMax = 20;

/** Maximum number of sessions of all keys; then nobody can sign in, as no key ends another's. */
const sessionsMax = 10_000;

/** The caller that a session authenticates; the key is null for a one-time link. */
type AuthenticatedSession = Pick<FoundSession, 'proof_hash' | 'ends_at'> & {
  caller: Caller;
  key_id: string | null;
};

/** The sessions of browsers, which all processes of the store share. */
export function openSessions({ deps: { store, clock }, keyUsed }: KeyEngine) {
  return {
    /**
     * Stores a session, and ends the one with the hash `before`.
     *
     * @throws {ApiError} unavailable, when other keys have taken all sessions
     */
    start: (session: StoredSession, before: string | null): Promise<void> =>
      store.transaction(async ({ sessions }) => {
        if (before !== null) await sessions.delete(before);
        await sessions.deleteEnded(clock.now());
        await sessions.deleteOldest(session.owner, sessionsOfKeyMax - 1);
        if ((await sessions.count()) >= sessionsMax) {
          throw new ApiError('unavailable', 'too many people are signed in to this server');
        }
        await sessions.insert(session);
      }),

    /** The caller of the session with this hash; null if its key is revoked or expired. */
    find: async (hash: string): Promise<AuthenticatedSession | null> => {
      const stored = await store.sessions.find(hash);
      if (stored === null) return null;
      const { owner, ...session } = stored;
      if ('link' in owner) return { ...session, caller: owner.link, key_id: null };
      const key = toKeyOwner(owner.key, clock.now());
      if (key === null) return null;
      keyUsed(key.key_id);
      return { ...session, ...key };
    },

    end: (hash: string): Promise<void> =>
      store.transaction(({ sessions }) => sessions.delete(hash)),
  };
}
