import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  type LocalJWKSet,
} from 'jose';
import * as z from 'zod';
import { type Fetch, readText } from '../../client/fetch.ts';
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

type Asking = Pick<IssuerOptions, 'issuer' | 'fetch' | 'timeout_ms'>;

/** How long keys are used before the issuer is asked again: one that it withdrew ends then. */
const freshMs = 600_000;

/** An issuer that is away ends nothing for so long. */
const usableMs = 24 * 3_600_000;

/** Between two visits, whatever tokens come: made-up key ids are no way to have it flooded. */
const pauseMs = 10_000;

const answerMaxBytes = 1024 * 1024;

type Known = { find: LocalJWKSet; since: number };

/**
 * The keys that an issuer signs with, found by its discovery document. A key that it changes is
 * known as soon as the first token comes that is signed with it. Throws `unavailable` when no keys
 * are known and the issuer does not answer.
 */
export function createIssuerKeys(options: IssuerOptions): JWTVerifyGetKey {
  const { now, log, issuer } = options;
  let known: Known | null = null;
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
    if (visiting === null && now() - visited < pauseMs) return;
    visiting ??= visit().finally(() => {
      visiting = null;
    });
    await visiting;
  };
  const usable = (): LocalJWKSet => {
    if (known !== null && now() - known.since < usableMs) return known.find;
    throw new ApiError('unavailable', 'the issuer of tokens does not answer; API keys still work');
  };

  return async (header, token) => {
    if (known === null || now() - known.since >= freshMs) await refresh();
    try {
      return await usable()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      return usable()(header, token);
    }
  };
}

const Discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** The keys that the issuer publishes now; throws with the reason when it publishes none. */
export async function readIssuerKeys(options: Asking): Promise<JSONWebKeySet> {
  const { issuer } = options;
  const { issuer: named, jwks_uri } = Discovery.parse(await discover(options));
  if (named !== issuer) throw new Error(`it calls itself ${JSON.stringify(named.slice(0, 200))}`);
  // What may be read on the way may be changed on the way.
  if (issuer.startsWith('https:') && !jwks_uri.startsWith('https:')) {
    throw new Error('its keys are at an address that is not https');
  }
  return KeySet.parse(await getJson(jwks_uri, options));
}

/** Where OpenID Connect has the document, else where OAuth has it. */
async function discover(options: Asking): Promise<unknown> {
  const { origin, pathname } = new URL(options.issuer);
  const path = pathname.replace(/\/$/, '');
  const connect = `${origin}${path}/.well-known/openid-configuration`;
  return getJson(connect, options).catch((error: unknown) => {
    if (!(error instanceof NotThere)) throw error;
    return getJson(`${origin}/.well-known/oauth-authorization-server${path}`, options);
  });
}

class NotThere extends Error {}

async function getJson(url: string, { fetch, timeout_ms }: Asking): Promise<unknown> {
  const answer = await fetch(url, {
    method: 'GET',
    headers: { Accept: 'application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout_ms),
  });
  const text = await readText(answer, answerMaxBytes);
  const { status } = answer;
  if (status !== 200) throw new NotThere(`${url} answers ${status}`);
  if (text === null) throw new Error(`${url} answers more than ${answerMaxBytes} bytes`);
  return JSON.parse(text);
}
