import type { JWTPayload } from 'jose';
import type { Config } from '../../config/options.ts';
import { ApiError } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { Email, type Role, roles } from '../../contract/schemas/member.ts';
import { Id } from '../../contract/schemas/text.ts';

/** The options about claims. */
export type ClaimOptions = Pick<
  Config,
  | 'oauth_read_scope'
  | 'oauth_write_scope'
  | 'oauth_account_claim'
  | 'oauth_org_claim'
  | 'oauth_project_claim'
  | 'oauth_role_claim'
  | 'oauth_user_claim'
>;

/** The caller according to a token; null for claims that are not configured. */
export type Claims = {
  email: string;
  org_id: string | null;
  project_id: string | null;
  role: Role | null;
  user_id: string | null;
};

/** Throws `forbidden` if a configured claim is missing or unusable. */
export function readClaims(payload: JWTPayload, options: ClaimOptions): Claims {
  const { oauth_org_claim: org, oauth_project_claim: project, oauth_user_claim: user } = options;
  return {
    email: readEmail(payload, options.oauth_account_claim),
    org_id: org === null ? null : readId(payload, org),
    project_id: project === null ? null : readId(payload, project),
    role: options.oauth_role_claim === null ? null : readRole(payload, options.oauth_role_claim),
    user_id: user === null ? null : readId(payload, user),
  };
}

/**
 * The access that a token's scopes grant: `scope` is the standard claim, some issuers use `scp`.
 */
export function accessFromScopes(
  { scope, scp }: JWTPayload,
  { oauth_read_scope, oauth_write_scope }: ClaimOptions,
): 'write' | 'read' | 'nothing' {
  const granted = [scope, scp].flat().flatMap((text) => {
    return typeof text === 'string' ? text.split(' ') : [];
  });
  if (granted.includes(oauth_write_scope)) return 'write';
  return granted.includes(oauth_read_scope) ? 'read' : 'nothing';
}

function readEmail(payload: JWTPayload, name: string): string {
  // Some issuers let users enter any address in a profile; it must not impersonate others.
  if (name === 'email' && payload.email_verified === false) {
    throw new ApiError('forbidden', "the token's e-mail address is not verified");
  }
  const read = Email.safeParse(singleValue(claimValue(payload, name)));
  if (read.success) return read.data;
  throw new ApiError(
    'forbidden',
    `the token's claim ${JSON.stringify(name)} is not an e-mail address`,
  );
}

/** One id. `*` means any id, so it is not valid in a token. */
function readId(payload: JWTPayload, name: string): string {
  const read = Id.safeParse(singleValue(claimValue(payload, name)));
  if (read.success && read.data !== '*') return read.data;
  throw new ApiError('forbidden', `the token's claim ${JSON.stringify(name)} is not a single id`);
}

/** The highest role in a list; other words in it belong to other programs. */
function readRole(payload: JWTPayload, name: string): Role {
  const words = [claimValue(payload, name)].flat().map((word) => String(word).toUpperCase());
  const highestRole = roles.findLast((role) => words.includes(role));
  if (highestRole !== undefined) return highestRole;
  const label = JSON.stringify(name);
  throw new ApiError('forbidden', `the token's claim ${label} names none of ${roles.join(', ')}`);
}

/** Some issuers send every claim as a list; several values are not valid. */
function singleValue(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

/** A claim by its name, which may contain dots, or by the path to a nested claim. */
function claimValue(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name.split('.').reduce<unknown>((value, key) => {
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, payload);
}
