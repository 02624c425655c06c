import { ApiError } from '../../contract/errors.ts';
import type { AuthenticatedKey, RestConfig } from '../http/options.ts';
import { absoluteUrl } from '../http/url.ts';
import { hashOfToken, randomToken } from './random-token.ts';

/** Signing in again twice a day is bearable, and a forgotten browser loses its access. */
const sessionTtlMs = 12 * 60 * 60 * 1000;

/** Maximum number of sessions; the oldest ends first. */
const sessionsMax = 1000;

const cookieName = 'mneme_session';

/** The header that carries the proof of a session. */
const proofHeader = 'X-Mneme-Session';

/** What a session stands for: an API key, which may be revoked, or what a one-time link allows. */
export type SessionOwner = { api_key: string } | { key: AuthenticatedKey };

type Session = { owner: SessionOwner; proof_hash: string; ends: number };

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
    /** Starts a session for somebody who signed in; returns its cookie and its proof. */
    start(request: Request, owner: SessionOwner) {
      if (sessions.size >= sessionsMax) sessions.delete(sessions.keys().next().value ?? '');
      const [id, proof] = [randomToken(), randomToken()];
      const ends = options.now() + sessionTtlMs;
      sessions.set(hashOfToken(id), { owner, proof_hash: hashOfToken(proof), ends });
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

    /** Ends the session of a request; returns the cookie that removes its cookie. */
    end(request: Request): string {
      const id = readCookie(request.headers);
      if (id !== null && this.find(request) !== null) sessions.delete(hashOfToken(id));
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
  if (isSameSite && (origin === null || isHostOf(origin, absoluteUrl(request, options)))) return;
  throw new ApiError('forbidden', 'sessions are only for the pages of this server');
}

/** Compares hosts: behind a proxy the server does not know whether it is reached by https. */
function isHostOf(origin: string, url: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(url).host;
}

function cookieOf(
  id: string,
  { request, ...options }: Pick<RestConfig, 'trust_proxy'> & { request: Request },
): string {
  const isSecure =
    absoluteUrl(request, options).startsWith('https:') ||
    request.headers.get('Origin')?.startsWith('https:');
  const age = id === '' ? 0 : sessionTtlMs / 1000;
  const cookie = `${cookieName}=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${age}`;
  return isSecure ? `${cookie}; Secure` : cookie;
}

function readCookie(headers: Headers): string | null {
  const cookies = headers.get('Cookie')?.split(';') ?? [];
  const cookie = cookies.find((each) => each.trim().startsWith(`${cookieName}=`));
  return cookie?.trim().slice(cookieName.length + 1) || null;
}
