import { HttpError } from '../http/errors.ts';
import type { AuthenticatedKey, RestOptions } from '../http/options.ts';
import { createAuthenticator } from './authenticate.ts';
import { createRateLimit, type RateLimitHeaders } from './rate-limit.ts';

/** Whose request it is, and what the answer tells about how many more may follow. */
export type AdmittedRequest = { key: AuthenticatedKey; headers: RateLimitHeaders };

/** Lets requests in; throws a refusal when the key is wrong, used too often, or it is too late. */
export type AdmitRequest = (request: Request) => Promise<AdmittedRequest>;

/**
 * Makes what lets requests in, by whatever says whose key it is. All of a server share its limit,
 * so that what is counted is counted once; what one of them has let in, another has not.
 */
export function createAdmission(options: RestOptions) {
  const limit = createRateLimit(options);
  const { now, accepting = () => true } = options;

  return (authenticate: RestOptions['authenticate']): AdmitRequest => {
    const find = createAuthenticator({ authenticate, now });
    return async ({ headers }) => {
      if (!accepting()) throw shuttingDownError();
      const key = await find(headers);
      return { key, headers: limit(key.rate_key) };
    };
  };
}

/** For requests on connections that were kept; those in progress end. */
function shuttingDownError(): HttpError {
  const headers = { 'Retry-After': '2', Connection: 'close' };
  return new HttpError(503, 'the server is shutting down', headers);
}
