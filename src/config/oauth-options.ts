import * as z from 'zod';
import { option } from './option.ts';

const IssuerUrl = z
  .string()
  .regex(
    /^(https:\/\/|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?(\/|$))[^\s?#]*$/,
    'must be an https address without query or fragment; http only on this machine',
  )
  .refine((url) => URL.canParse(url), 'must be an address such as https://id.example.com');

const Audience = z.string().regex(/^[\x21-\x7e]{1,1000}$/, 'must hold no white space');
const OAuthScope = z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,255}$/, 'must be one scope');
const ClaimName = z.string().min(1).max(255);

/** The issuer whose tokens /mcp accepts in addition to keys, and what their claims mean. */
export const oauthOptions = {
  oauth_issuer: option(IssuerUrl, {
    default: null,
    description:
      'OAuth issuer whose tokens /mcp accepts in addition to API keys, exactly as in the ' +
      '`iss` claim.',
    fromProject: 'refused',
  }),
  oauth_audience: option(Audience, {
    default: null,
    description: 'Required audience; use the public address of /mcp.',
    fromProject: 'refused',
  }),
  oauth_read_scope: option(OAuthScope, {
    default: 'mneme:read',
    description: 'Scope of tokens that may read.',
    fromProject: 'refused',
  }),
  oauth_write_scope: option(OAuthScope, {
    default: 'mneme:write',
    description: 'Scope of tokens that may read and write.',
    fromProject: 'refused',
  }),
  oauth_account_claim: option(ClaimName, {
    default: 'email',
    description:
      "Claim with the e-mail of the calling account; a nested claim is written as 'a.b'.",
    fromProject: 'refused',
  }),
  oauth_org_claim: option(ClaimName, {
    default: null,
    description: 'Claim with the only organization that a token may access.',
    fromProject: 'refused',
  }),
  oauth_project_claim: option(ClaimName, {
    default: null,
    description: 'Claim with the only project that a token may access.',
    fromProject: 'refused',
  }),
  oauth_role_claim: option(ClaimName, {
    default: null,
    description: 'Claim with the role there, OWNER or READER; the account need not be a member.',
    fromProject: 'refused',
  }),
  oauth_user_claim: option(ClaimName, {
    default: null,
    description: 'Claim with the only user_id that a token may access.',
    fromProject: 'refused',
  }),
};
