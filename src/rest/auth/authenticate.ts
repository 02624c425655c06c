import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import { createCredentialCache } from './credential-cache.ts';
import type { Sessions } from './sessions.ts';

type AuthenticatorOptions = Pick<RestOptions, 'authenticate' | 'now'> & {
  /** Given where sessions of browsers are valid, too. */
  sessions?: Pick<Sessions, 'find'> | undefined;
};

/** Finds the key of a request; throws 401 if it has no valid one. */
export function createAuthenticator({
  authenticate,
  sessions,
  now,
}: AuthenticatorOptions): (request: Request) => Promise<AuthenticatedKey> {
  const cache = createCredentialCache(authenticate, now);

  return async (request) => {
    const credential = readCredential(request.headers);
    const key = credential === null ? await sessions?.find(request) : await cache.find(credential);
    if (key) return key;
    throw unauthorizedError(
      credential === null ? 'Authentication credentials were not provided.' : 'Invalid API key.',
    );
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
