import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import type { Sessions } from './sessions.ts';

/**
 * How long a key is cached. A revoked key is refused after at most this time, which must stay
 * below the documented five seconds.
 */
const keyCacheTtlMs = 3000;

/** Maximum number of cached keys. */
const keyCacheMax = 10_000;

type CachedKey = { key: AuthenticatedKey; until: number };

type AuthenticatorOptions = Pick<RestOptions, 'authenticate' | 'now'> & {
  /** Where sessions of browsers are valid too. */
  sessions?: Pick<Sessions, 'find'> | undefined;
};

/** Finds the key of a request; throws 401 when there is no valid one. */
export function createAuthenticator({
  authenticate,
  sessions,
  now,
}: AuthenticatorOptions): (request: Request) => Promise<AuthenticatedKey> {
  const known = new Map<string, CachedKey>();

  return async (request) => {
    const given = readCredential(request.headers);
    const owner = given === null ? sessions?.find(request) : { api_key: given };
    if (owner && 'key' in owner) return owner.key;
    const token = owner?.api_key;
    if (token === undefined)
      throw unauthorizedError('Authentication credentials were not provided.');
    const before = known.get(token);
    if (before !== undefined && before.until > now()) return before.key;
    known.delete(token);
    const startedAt = now();
    const key = await authenticate(token);
    if (key === null) throw unauthorizedError('Invalid API key.');
    // Removes the oldest: a map keeps the order of insertion.
    if (known.size >= keyCacheMax) known.delete(known.keys().next().value ?? '');
    known.set(token, { key, until: startedAt + keyCacheTtlMs });
    return key;
  };
}

/** `Authorization: Token KEY`, `Authorization: Bearer KEY` or `X-API-Key: KEY`. */
function readCredential(headers: Headers): string | null {
  const [, token] = /^(?:token|bearer) +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '') ?? [];
  return token ?? (headers.get('X-API-Key')?.trim() || null);
}

export function unauthorizedError(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Token realm="mneme", Bearer' });
}
