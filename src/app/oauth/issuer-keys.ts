import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type LocalJWKSet,
} from 'jose';
import * as z from 'zod';
import { type Fetch, readBodyText } from '../../client/fetch.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';

export type IssuerOptions = {
  /** Address of the issuer, exactly as in its tokens. */
  issuer: string;
  fetch: Fetch;
  /** How long one request to the issuer may take. */
  timeout_ms: number;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
};

type IssuerRequest = Pick<IssuerOptions, 'issuer' | 'fetch' | 'timeout_ms'>;

/** How long keys are cached; a withdrawn key stops working then. */
const refreshAfterMs = 600_000;

/** Cached keys keep working this long while the issuer is unreachable. */
const staleMaxMs = 24 * 3_600_000;

/** The shortest time between two requests, so that made-up key ids can't flood the issuer. */
const refreshPauseMs = 10_000;

const responseMaxBytes = 1024 * 1024;

type CachedKeys = { find: LocalJWKSet; since: number };

/**
 * The signing keys of an issuer, found through its discovery document. A new key is fetched with
 * the first token that uses it. Throws `unavailable` if no keys are known and the issuer does not
 * respond.
 */
export function createIssuerKeys(options: IssuerOptions): JWTVerifyGetKey {
  const { now, log, issuer } = options;
  let cachedKeys: CachedKeys | null = null;
  let visited = Number.NEGATIVE_INFINITY;
  let visiting: Promise<void> | null = null;

  const visit = async () => {
    visited = now();
    try {
      cachedKeys = { find: createLocalJWKSet(await readIssuerKeys(options)), since: visited };
    } catch (error) {
      log('warn', 'OAuth issuer keys could not be read', { issuer, error });
    }
  };
  const refresh = async () => {
    if (visiting === null && now() - visited < refreshPauseMs) return;
    visiting ??= visit().finally(() => {
      visiting = null;
    });
    await visiting;
  };
  const usable = (): LocalJWKSet => {
    if (cachedKeys !== null && now() - cachedKeys.since < staleMaxMs) return cachedKeys.find;
    throw new ApiError('unavailable', 'the OAuth issuer does not respond; API keys still work');
  };

  return async (header, token) => {
    if (cachedKeys === null || now() - cachedKeys.since >= refreshAfterMs) await refresh();
    try {
      return await usable()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      return usable()(header, token);
    }
  };
}

const DiscoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The keys that the issuer publishes now; throws with the reason on failure. */
export async function readIssuerKeys(options: IssuerRequest): Promise<JSONWebKeySet> {
  const { issuer } = options;
  const { issuer: named, jwks_uri } = DiscoveryDocument.parse(await fetchDiscovery(options));
  if (named !== issuer)
    throw new Error(`its document names the issuer ${JSON.stringify(named.slice(0, 200))}`);
  // Keys fetched over http could be replaced on the way.
  if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:')) {
    throw new Error('jwks_uri is not an https address');
  }
  return KeySet.parse(await getJson(jwks_uri, options));
}

/** The document of OpenID Connect, otherwise that of OAuth. */
async function fetchDiscovery(options: IssuerRequest): Promise<unknown> {
  const { origin, pathname } = new URL(options.issuer);
  const path = pathname.replace(/\/$/, '');
  const connect = `${origin}${path}/.well-known/openid-configuration`;
  return getJson(connect, options).catch((error: unknown) => {
    if (!(error instanceof DiscoveryNotFound)) throw error;
    return getJson(`${origin}/.well-known/oauth-authorization-server${path}`, options);
  });
}

class DiscoveryNotFound extends Error {}

async function getJson(url: string, { fetch, timeout_ms }: IssuerRequest): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'GET',
    headers: { Accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout_ms),
  });
  const text = await readBodyText(answer, responseMaxBytes);
  const { status } = answer;
  if (status !== 200) throw new DiscoveryNotFound(`${url} returned status ${status}`);
  if (text === null) throw new Error(`${url} returned more than ${responseMaxBytes} bytes`);
  return JSON.parse(text);
}
