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
  /** Address of the issuer, to the letter as its tokens name it. */
  issuer: string;
  fetch: Fetch;
  /** How long one answer of the issuer may take. */
  timeout_ms: number;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
};

type IssuerRequest = Pick<IssuerOptions, 'issuer' | 'fetch' | 'timeout_ms'>;

/** How long keys are used before the issuer is asked again: one that it withdrew ends then. */
const refreshAfterMs = 600_000;

/** An issuer that is away ends nothing for so long. */
const staleMaxMs = 24 * 3_600_000;

/** Between two visits, whatever tokens come: made-up key ids are no way to have it flooded. */
const refreshPauseMs = 10_000;

const responseMaxBytes = 1024 * 1024;

type CachedKeys = { find: LocalJWKSet; since: number };

/**
 * The keys that an issuer signs with, found by its discovery document. A key that it changes is
 * known as soon as the first token comes that is signed with it. Throws `unavailable` when no keys
 * are known and the issuer does not answer.
 */
export function createIssuerKeys(options: IssuerOptions): JWTVerifyGetKey {
  const { now, log, issuer } = options;
  let known: CachedKeys | null = null;
  let visited = Number.NEGATIVE_INFINITY;
  let visiting: Promise<void> | null = null;

  const visit = async () => {
    visited = now();
    try {
      known = { find: createLocalJWKSet(await readIssuerKeys(options)), since: visited };
    } catch (error) {
      log('warn', 'the keys of the OAuth issuer can not be read', { issuer, error });
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
    if (known !== null && now() - known.since < staleMaxMs) return known.find;
    throw new ApiError('unavailable', 'the issuer of tokens does not answer; API keys still work');
  };

  return async (header, token) => {
    if (known === null || now() - known.since >= refreshAfterMs) await refresh();
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

/** The keys that the issuer publishes now; throws with the reason when it publishes none. */
export async function readIssuerKeys(options: IssuerRequest): Promise<JSONWebKeySet> {
  const { issuer } = options;
  const { issuer: named, jwks_uri } = DiscoveryDocument.parse(await fetchDiscovery(options));
  if (named !== issuer) throw new Error(`it calls itself ${JSON.stringify(named.slice(0, 200))}`);
  // What may be read on the way may be changed on the way.
  if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:')) {
    throw new Error('its keys are at an address that is not https');
  }
  return KeySet.parse(await getJson(jwks_uri, options));
}

/** Where OpenID Connect has the document, else where OAuth has it. */
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
  if (status !== 200) throw new DiscoveryNotFound(`${url} answers ${status}`);
  if (text === null) throw new Error(`${url} answers more than ${responseMaxBytes} bytes`);
  return JSON.parse(text);
}
