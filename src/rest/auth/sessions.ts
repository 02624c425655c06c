import { ApiError } from '../../contract/errors.ts';
import type { AuthenticatedKey, RestConfig } from '../http/options.ts';
import { absoluteUrl } from '../http/url.ts';
import { hashOfToken, randomToken } from './random-token.ts';

/** Signing in again twice a day is bearable, and a forgotten browser loses its access. */
const sessionTtlMs = 12 * 60 * 60 * 1000;

/** Maximum number of sessions of one key; its oldest ends first. */
const sessionsOfKeyMax = 20;

/** Maximum number of sessions of all keys; then nobody can sign in, as no key ends another's. */
const sessionsMax = 10_000;

const cookieName = 'mneme_session';

/** The header that carries the proof of a session. */
const proofHeader = 'X-Mneme-Session';

/** What a session stands for: an API key, which may be revoked, or what a one-time link allows. */
export type SessionOwner = { api_key: string } | { key: AuthenticatedKey };

type Session = { owner: SessionOwner; key_id: string; proof_hash: string; ends: number };

/** Sessions of browsers, each of which stands for one API key or one-time link. */
export type Sessions = ReturnType<typeof createBrowserSessions>;

/**
 * Keeps the sessions of this process in memory, by the hash of their id. A cookie alone opens
 * nothing, because browsers send it to every port of a host: a request also needs the proof, which
 * only a page of this origin can keep, and must not come from another origin.
 */
export function createBrowserSessions(
  options: Pick<RestConfig, 'trust_proxy'> & { now: () => number },
) {
  const sessions = new Map<string, Session>();

  return {
    /**
     * Starts a session for somebody who signed in, and ends the one that this browser had; returns
     * its cookie and its proof.
     */
    start(request: Request, { owner, key_id }: { owner: SessionOwner; key_id: string }) {
      const before = readCookie(request.headers);
      if (before !== null) sessions.delete(hashOfToken(before));
      makeRoom(sessions, key_id, options.now());
      const [id, proof] = [randomToken(), randomToken()];
      const ends = options.now() + sessionTtlMs;
      sessions.set(hashOfToken(id), { owner, key_id, proof_hash: hashOfToken(proof), ends });
      return { proof, cookie: cookieOf(id, { request, ...options }) };
    },

    /** What the session of a request stands for; null without a valid session. */
    find(request: Request): SessionOwner | null {
      const id = readCookie(request.headers);
      const proof = request.headers.get(proofHeader);
      if (id === null || proof === null) return null;
      checkSameOrigin(request, options);
      const session = sessions.get(hashOfToken(id));
      if (session === undefined || session.ends <= options.now()) return null;
      return session.proof_hash === hashOfToken(proof) ? session.owner : null;
    },

    /** Ends the session of a request; returns the cookie that removes its cookie, or null. */
    end(request: Request): string | null {
      if (this.find(request) === null) return null;
      sessions.delete(hashOfToken(readCookie(request.headers) ?? ''));
      return cookieOf('', { request, ...options });
    },
  };
}

/**
 * Removes what is over, and the oldest session of a key that has too many.
 *
 * @throws {ApiError} unavailable, when other keys have taken all sessions
 */
function makeRoom(sessions: Map<string, Session>, key_id: string, now: number): void {
  for (const [id, { ends }] of sessions) if (ends <= now) sessions.delete(id);
  const own = [...sessions].filter(([, session]) => session.key_id === key_id);
  const [[oldest] = ['']] = own;
  if (own.length >= sessionsOfKeyMax) sessions.delete(oldest);
  if (sessions.size < sessionsMax) return;
  throw new ApiError('unavailable', 'too many people are signed in to this server');
}

/**
 * Refuses a request of a page of another origin. Browsers say which page sends a request, and no
 * page can change that.
 *
 * @throws {ApiError} forbidden
 */
export function checkSameOrigin(request: Request, options: Pick<RestConfig, 'trust_proxy'>): void {
  const origin = request.headers.get('Origin');
  const site = request.headers.get('Sec-Fetch-Site');
  const isSameSite = site === null || site === 'same-origin';
  const own = new URL(absoluteUrl(request, options)).origin;
  if (isSameSite && (origin === null || origin === own)) return;
  const hint = 'behind a proxy with TLS, set trust_proxy and let it send X-Forwarded-Proto';
  throw new ApiError('forbidden', `sessions are only for the pages of ${own}; ${hint}`);
}

function cookieOf(
  id: string,
  { request, ...options }: Pick<RestConfig, 'trust_proxy'> & { request: Request },
): string {
  const isSecure = absoluteUrl(request, options).startsWith('https:');
  const age = id === '' ? 0 : sessionTtlMs / 1000;
  const cookie = `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}`;
  return isSecure ? `${cookie}; Secure` : cookie;
}

function readCookie(headers: Headers): string | null {
  const cookies = headers.get('Cookie')?.split(';') ?? [];
  const cookie = cookies.find((each) => each.trim().startsWith(`${cookieName}=`));
  return cookie?.trim().slice(cookieName.length + 1) || null;
}
