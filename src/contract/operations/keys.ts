import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { projectScope } from '../schemas/entity.ts';
import { DisplayName, Email } from '../schemas/member.ts';
import { Flag, numeric } from '../schemas/query-values.ts';
import { Id } from '../schemas/text.ts';

/** A key as lists show it: its text is told once, when it is created. */
export const ApiKey = z.object({
  key_id: z.string(),
  name: z.string(),
  /** The beginning of its text. */
  prefix: z.string(),
  /** The e-mail address of its account. */
  account: z.string(),
  /** The organization that the key is limited to; null for all that its account reaches. */
  org_id: z.string().nullable(),
  project_id: z.string().nullable(),
  read_only: z.boolean(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
  last_used_at: z.string().nullable(),
  created_at: z.string(),
});
export type ApiKey = z.output<typeof ApiKey>;

/** API keys. None of these is a tool: a person hands out keys, not an agent. */
export const apiKeys = {
  create_key: operation({
    summary: 'Create a key',
    description:
      'Creates an API key for the calling account; its text is returned only once. It cannot ' +
      'reach more or last longer than the key that creates it. The owner of the store may create ' +
      'keys for others.',
    scope: 'account:write',
    routes: [{ method: 'POST', path: '/v1/keys/', carries: 'body' }],
    status: 201,
    input: z.object({
      name: DisplayName.default('unnamed'),
      email: Email.optional().describe('E-mail of the owner, if not you'),
      reach: z
        .enum(['account', 'organization', 'project'])
        .default('account')
        .describe('Reach of the key: the whole account, or this organization or project'),
      read_only: Flag.default(false).describe('Make it read-only'),
      expires_in_days: numeric(z.int().min(1).max(limits.key_days_max))
        .optional()
        .describe('Expiry, default never'),
      ...projectScope,
    }),
    output: ApiKey.extend({ key: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),

  list_keys: operation({
    summary: 'List keys',
    description:
      'Lists the keys of the calling account, newest first, without their texts. The owner of ' +
      'the store gets all keys.',
    scope: 'account:read',
    subject: 'account',
    routes: [{ method: 'GET', path: '/v1/keys/', carries: 'query' }],
    status: 200,
    input: z.object({}),
    output: z.object({ results: z.array(ApiKey) }),
    publishedKey: 'results',
    errors: ['invalid'],
    tool: null,
  }),

  revoke_key: operation({
    summary: 'Revoke a key',
    description:
      'Revokes a key by the id that list_keys shows. It stops working within five seconds.',
    scope: 'account:write',
    subject: 'account',
    routes: [{ method: 'DELETE', path: '/v1/keys/{key_id}/', carries: 'query' }],
    status: 200,
    input: z.object({ key_id: Id.describe('Key') }),
    output: z.object({ message: z.string(), key_id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: null,
  }),
};
