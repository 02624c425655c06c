import { HttpError } from './failure.ts';
import type { AuthenticatedKey, RestOptions } from './options.ts';

/**
 * How long a key that was found stays known. A revoked key is refused at the latest after this, so
 * it stays below the five seconds that are promised.
 */
const knownForMs = 3000;

/** Most keys that are remembered at a time. */
const knownMax = 10_000;

type Known = { key: AuthenticatedKey; until: number };

/** Finds out whose key a request carries; throws 401 when it carries none that is valid. */
export function createAuthenticator({
  authenticate,
  now,
}: Pick<RestOptions, 'authenticate' | 'now'>): (headers: Headers) => Promise<AuthenticatedKey> {
  const known = new Map<string, Known>();

  return async (headers) => {
    const token = tokenOf(headers);
    if (token === null) throw unauthorized('Authentication credentials were not provided.');
    const before = known.get(token);
    if (before !== undefined && before.until > now()) return before.key;
    known.delete(token);
    const asked = now();
    const key = await authenticate(token);
    if (key === null) throw unauthorized('Invalid API key.');
    // The oldest goes first: a map keeps the order of insertion.
    if (known.size >= knownMax) known.delete(known.keys().next().value ?? '');
    known.set(token, { key, until: asked + knownForMs });
    return key;
  };
}

/** `Authorization: Token KEY`, `Authorization: Bearer KEY` or `X-API-Key: KEY`. */
function tokenOf(headers: Headers): string | null {
  const [, token] = /^(?:token|bearer) +(\S+)\s*$/i.exec(headers.get('Authorization') ?? '') ?? [];
  return token ?? (headers.get('X-API-Key')?.trim() || null);
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { 'WWW-Authenticate': 'Token realm="mneme", Bearer' });
}
