import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { roles } from '../schemas/member.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { Id } from '../schemas/text.ts';

/** A place that waits for the account; null stands for the whole organization. */
export const Invitation = z.object({
  org_id: z.string(),
  organization_name: z.string(),
  project_id: z.string().nullable(),
  project_name: z.string().nullable(),
  role: z.enum(roles),
  created_at: z.string(),
});

const InvitationRefInput = z.object({ org_id: Id.describe('Organization') });
const MessageOutput = z.object({ message: z.string() });
const errorMessages = { not_found: 'Invitation not found' };

/**
 * Memberships that others added and the calling account has not accepted. None of these operations
 * is a tool: a person agrees, not an agent that reads what a stranger called an organization.
 */
export const invitations = {
  list_invitations: operation({
    summary: 'List invitations',
    description:
      'Lists the organizations and projects that the caller is invited to, newest first.',
    scope: 'organizations:read',
    subject: 'account',
    routes: [{ method: 'GET', path: '/v1/invitations/', carries: 'query' }],
    status: 200,
    input: z.object({
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.page_size_default),
    }),
    output: pageSchema(Invitation),
    errors: ['invalid'],
    tool: null,
  }),

  accept_invitation: operation({
    summary: 'Accept an invitation',
    description:
      'Makes the caller a member of the organization and of those of its projects that invite it.',
    scope: 'organizations:write',
    subject: 'account',
    routes: [{ method: 'POST', path: '/v1/invitations/{org_id}/accept/', carries: 'body' }],
    status: 200,
    input: InvitationRefInput,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages,
    tool: null,
  }),

  decline_invitation: operation({
    summary: 'Decline an invitation',
    description: 'Declines the invitations of an organization and its projects.',
    scope: 'organizations:write',
    subject: 'account',
    routes: [{ method: 'POST', path: '/v1/invitations/{org_id}/decline/', carries: 'body' }],
    status: 200,
    input: InvitationRefInput,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    errorMessages,
    tool: null,
  }),
};
