import { createAuthenticator } from './authenticate.ts';
import { HttpError } from './failure.ts';
import type { AuthenticatedKey, RestOptions } from './options.ts';
import { createRateLimit, type LimitHeaders } from './rate-limit.ts';

/** Whose request it is, and what the answer tells about how many more may follow. */
export type Admitted = { key: AuthenticatedKey; headers: LimitHeaders };

/** Lets requests in; throws a refusal when the key is wrong, used too often, or it is too late. */
export type Admit = (request: Request) => Promise<Admitted>;

/** One for all that a server answers: what is counted is counted once. */
export function createAdmission(options: RestOptions): Admit {
  const authenticate = createAuthenticator(options);
  const limit = createRateLimit(options);
  const { accepts = () => true } = options;

  return async ({ headers }) => {
    if (!accepts()) throw shuttingDown();
    const key = await authenticate(headers);
    return { key, headers: limit(key.rate_key) };
  };
}

/** For requests on connections that were kept; those in progress end. */
function shuttingDown(): HttpError {
  const headers = { 'Retry-After': '2', Connection: 'close' };
  return new HttpError(503, 'the server is shutting down', headers);
}
