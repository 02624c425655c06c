import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import { createAuthenticator } from './authenticate.ts';
import { createRateLimit, type RateLimitHeaders } from './rate-limit.ts';
import type { Sessions } from './sessions.ts';

/** The key of a request, and the rate limit headers of its response. */
export type AdmittedRequest = {
  key: AuthenticatedKey;
  headers: RateLimitHeaders;
  /** Throws when the key has become invalid; for responses that stay open. */
  readmit(): Promise<AuthenticatedKey>;
};

/** Admits a request; throws when the key is wrong or over its limit, or the server shuts down. */
export type AdmitRequest = (request: Request) => Promise<AdmittedRequest>;

/**
 * Returns a function that creates admissions, one for each way to authenticate. They share one
 * rate limit, but not their known keys.
 */
export function createAdmission(options: RestOptions) {
  const limit = createRateLimit(options);
  const { now, accepting = () => true } = options;

  return (authenticate: RestOptions['authenticate'], sessions?: Sessions): AdmitRequest => {
    const find = createAuthenticator({ authenticate, sessions, now });
    return async (request) => {
      if (!accepting()) throw shuttingDownError();
      const key = await find(request);
      return { key, headers: limit(key.rate_key), readmit: () => find(request) };
    };
  };
}

/** For requests on kept-alive connections; requests in progress still finish. */
function shuttingDownError(): HttpError {
  const headers = { 'Retry-After': '2', Connection: 'close' };
  return new HttpError(503, 'the server is shutting down', headers);
}
