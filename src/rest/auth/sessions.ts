import { ApiError } from '../../contract/errors.ts';
import type { AuthenticatedKey, RestConfig, RestOptions, SignedInAs } from '../http/options.ts';
import { absoluteUrl } from '../http/url.ts';
import { createCredentialCache } from './credential-cache.ts';
import { hashOfToken, randomToken } from './random-token.ts';

/** Signing in again twice a day is bearable, and a forgotten browser loses its access. */
const sessionTtlMs = 12 * 60 * 60 * 1000;

const cookieName = 'mneme_session';

/** The header that carries the proof of a session. */
const proofHeader = 'X-Mneme-Session';

/** The session of a link has this instead of a key's id. */
const linkKeyId = 'mneme ui';

/** Sessions of browsers; each has the rights of one API key or one-time link. */
export type Sessions = ReturnType<typeof createBrowserSessions>;

/**
 * Sessions are stored by the hash of their id. A cookie alone opens nothing, because browsers send
 * it to every port of a host: a request also needs the proof, which only a page of this origin can
 * keep, and must not come from another origin.
 */
export function createBrowserSessions({
  sessions,
  now,
  ...options
}: Pick<RestOptions, 'trust_proxy' | 'sessions' | 'now'>) {
  const cache = createCredentialCache(sessions.find, now);

  const find = async (request: Request): Promise<AuthenticatedKey | null> => {
    const id = readCookie(request.headers);
    const proof = request.headers.get(proofHeader);
    if (id === null || proof === null) return null;
    checkSameOrigin(request, options);
    const session = await cache.find(hashOfToken(id));
    if (session === null || Date.parse(session.ends_at) <= now()) return null;
    if (session.proof_hash !== hashOfToken(proof)) return null;
    const key_id = session.key_id ?? linkKeyId;
    return { caller: session.caller, key_id, rate_key: key_id };
  };

  return {
    /**
     * Starts a session for somebody who signed in, and ends the one that this browser had; returns
     * its cookie and its proof. The id is always new, so it cannot be known in advance.
     */
    start: async (request: Request, owner: SignedInAs) => {
      const earlier = readCookie(request.headers);
      const before = earlier === null ? null : hashOfToken(earlier);
      const [id, proof] = [randomToken(), randomToken()];
      const ends_at = new Date(now() + sessionTtlMs).toISOString();
      const hashes = { hash: hashOfToken(id), proof_hash: hashOfToken(proof) };
      await sessions.start({ ...hashes, owner, ends_at }, before);
      if (before !== null) cache.forget(before);
      return { proof, cookie: cookieOf(id, { request, ...options }) };
    },

    /** The caller that the session of a request authenticates; null without a valid session. */
    find,

    /** Ends the session of a request; returns the cookie that removes its cookie, or null. */
    end: async (request: Request): Promise<string | null> => {
      const id = readCookie(request.headers);
      if (id === null || (await find(request)) === null) return null;
      const hash = hashOfToken(id);
      await sessions.end(hash);
      // Only now: a request meanwhile may have read the session before it ended.
      cache.forget(hash);
      return cookieOf('', { request, ...options });
    },
  };
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
  const serverOrigin = new URL(absoluteUrl(request, options)).origin;
  if (isSameSite && (origin === null || origin === serverOrigin)) return;
  const hint = 'behind a proxy with TLS, set trust_proxy and let it send X-Forwarded-Proto';
  throw new ApiError('forbidden', `sessions are only for the pages of ${serverOrigin}; ${hint}`);
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
