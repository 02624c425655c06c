import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Caller } from '../../contract.ts';
import type { Account } from '../../core/ports/index.ts';
import { findOrInviteAccount } from '../../core/tenants/accounts.ts';
import type { Log } from '../../log.ts';
import type { Engine } from '../engine.ts';
import { openHttpPool } from '../http-pool.ts';
import { accessFromScopes, type Claims, readClaims } from './claims.ts';
import { createIssuerKeys } from './issuer-keys.ts';

/** The holder of a token. */
export type TokenHolder = {
  caller: Caller;
  /** Equal for all tokens of the same holder. */
  key_id: string;
  rate_key: string;
  /** The scope that the token lacks, so that the client can request it. */
  missing_scope?: 'read' | 'write';
  /** The only user that the token may access. */
  user_id?: string;
};

export type TokenVerifier = {
  /** Null if it is not a token. Throws `unauthorized`, `forbidden` or `unavailable`. */
  authenticate(token: string): Promise<TokenHolder | null>;
  close(): Promise<void>;
};

type TokenVerifierOptions = { engine: Pick<Engine, 'store' | 'deps'>; log: Log; now: () => number };

export const issuerTimeoutMs = 5_000;

/** Verifies tokens of the configured issuer. Throws `invalid` if options are inconsistent. */
export function createTokenVerifier(
  config: Config,
  { engine, log, now }: TokenVerifierOptions,
): TokenVerifier {
  const settings = readTokenSettings(config);
  const { issuer } = settings;
  const connection = openHttpPool({ url: issuer, timeout_ms: issuerTimeoutMs });
  const { fetch, close } = connection;
  const keys = createIssuerKeys({ issuer, fetch, log, now, timeout_ms: issuerTimeoutMs });

  return {
    authenticate: async (token) => {
      if (!/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return null;
      const payload = await verifyToken(token, keys, { ...settings, now });
      const key_id = `oauth ${payload.sub}`;
      const may = accessFromScopes(payload, config);
      // Without any scope, the account does not matter.
      if (may === 'nothing')
        return { caller: noAccessCaller, key_id, rate_key: key_id, missing_scope: 'read' };
      const claims = readClaims(payload, config);
      return {
        caller: callerFromClaims(claims, await accountOfClaims(claims, engine), may),
        key_id,
        rate_key: key_id,
        ...(may === 'read' && { missing_scope: 'write' }),
        ...(claims.user_id !== null && { user_id: claims.user_id }),
      };
    },
    close,
  };
}

/** A caller without access. */
const noAccessCaller: Caller = {
  account_id: '',
  org_id: '',
  project_id: '',
  bound_to: 'project',
  read_only: true,
};

type TokenSettings = { issuer: string; audience: string };

/** The settings to verify tokens with. Throws `invalid` if options are inconsistent. */
export function readTokenSettings(config: Config): TokenSettings {
  const { oauth_issuer: issuer, oauth_audience: audience } = config;
  const refuse = (option: string, problem: string) => {
    throw new ApiError('invalid', `${option}: ${problem}`, { fields: { [option]: [problem] } });
  };
  if (issuer === null) throw new Error('there is no issuer');
  if (audience === null) {
    return refuse('oauth_audience', 'must be set with oauth_issuer: tokens for others are refused');
  }
  if (config.oauth_role_claim !== null && !config.oauth_org_claim && !config.oauth_project_claim) {
    refuse(
      'oauth_role_claim',
      'needs oauth_org_claim or oauth_project_claim: a role applies to one of them',
    );
  }
  if (config.oauth_user_claim !== null && config.lock_scope) {
    refuse('oauth_user_claim', 'locks the scope of each token; lock_scope fixes one for all');
  }
  return { issuer, audience };
}

/** Only asymmetric algorithms: there is no shared secret. */
const algorithms = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');

/** Clocks of two machines differ a little. */
const clockToleranceSeconds = 5;

async function verifyToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, now }: TokenSettings & { now: () => number },
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms,
      requiredClaims: ['sub', 'exp'],
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(now()),
    });
    return payload;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError('unauthorized', tokenProblem(error), { cause: error });
  }
}

function tokenProblem(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'the token is for another audience';
    if (error.claim === 'iss') return 'the token is from another issuer';
    return `the token's claim ${JSON.stringify(error.claim)} is not valid`;
  }
  return 'the token is not valid';
}

/** If the token grants a role itself, a missing account is created. */
async function accountOfClaims(
  { email, role }: Claims,
  { store, deps }: TokenVerifierOptions['engine'],
): Promise<Account> {
  const account = await store.accounts.findByEmail(email);
  if (account !== null) return account;
  if (role !== null) return store.transaction((tables) => findOrInviteAccount(deps, email, tables));
  throw new ApiError('forbidden', 'no member has the e-mail address of this token', {
    next: 'Ask the administrator of the server to add it to an organization or a project.',
  });
}

function callerFromClaims(
  { org_id, project_id, role }: Claims,
  { account_id }: Account,
  may: 'read' | 'write',
): Caller {
  const bound_to = project_id !== null ? 'project' : org_id !== null ? 'organization' : null;
  return {
    account_id,
    org_id,
    project_id,
    bound_to,
    read_only: may === 'read',
    ...(role !== null && { role }),
  };
}
