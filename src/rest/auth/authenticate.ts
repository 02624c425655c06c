import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';

/**
 * How long a key that was found stays known. A revoked key is refused at the latest after this, so
 * it stays below the five seconds that are promised.
 */
const keyCacheTtlMs = 3000;

/** Most keys that are remembered at a time. */
const keyCacheMax = 10_000;

type CachedKey = { key: AuthenticatedKey; until: number };

/** Finds out whose key a request carries; throws 401 when it carries none that is valid. */
export function createAuthenticator({
  authenticate,
  now,
}: Pick<RestOptions, 'authenticate' | 'now'>): (headers: Headers) => Promise<AuthenticatedKey> {
  const known = new Map<string, CachedKey>();

  return async (headers) => {
    const token = readCredential(headers);
    if (token === null) throw unauthorizedError('Authentication credentials were not provided.');
    const before = known.get(token);
    if (before !== undefined && before.until > now()) return before.key;
    known.delete(token);
    const asked = now();
    const key = await authenticate(token);
    if (key === null) throw unauthorizedError('Invalid API key.');
    // The oldest goes first: a map keeps the order of insertion.
    if (known.size >= keyCacheMax) known.delete(known.keys().next().value ?? '');
    known.set(token, { key, until: asked + keyCacheTtlMs });
    return key;
  };
}

/** `Authorization: Token KEY`, `Authorization: Bearer KEY` or `X-API-Key: KEY`. */
function readCredential(headers: Headers): string | null {
  const [, token] = /^(?:token|bearer) +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '') ?? [];
  return token ?? (headers.get('X-API-Key')?.trim() || null);
}

function unauthorizedError(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Token realm="mneme", Bearer' });
}
