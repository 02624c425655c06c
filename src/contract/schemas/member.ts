import * as z from 'zod';
import { limits } from '../limits.ts';
import { freeText, isVisible, nameText, tooLongError } from './text.ts';

export const roles = ['READER', 'OWNER'] as const;
export type Role = (typeof roles)[number];

/** An invited account reaches nothing until it accepts. */
export const memberStatuses = ['accepted', 'invited'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

export const RoleField = z
  .enum(roles, { error: `must be one of ${roles.join(', ')}` })
  .describe('Role');

/** Private mail systems have addresses such as `owner@localhost`, so they are valid. */
export const Email = z
  .string()
  .regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address')
  .max(limits.id_max_chars, tooLongError(limits.id_max_chars))
  .refine(isVisible, 'must not hold control or hidden characters')
  .toLowerCase()
  .describe('E-mail');

/** A display name: 1 to 255 characters. */
export const DisplayName = nameText(limits.id_max_chars).describe('Name');

/** Free text of up to 2,000 characters. */
export const Description = freeText(limits.description_max_chars);

/**
 * A member of an organization or a project. `id` is the account's number; `user_id` and `username`
 * both name the account, for the two published member lists.
 */
export const Member = z.object({
  id: z.int(),
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(roles),
});
export type Member = z.output<typeof Member>;

/** A member in a list. An invited account is known by its e-mail only, and has no number. */
export const ListedMember = Member.extend({
  id: z.int().nullable(),
  status: z.enum(memberStatuses),
});
export type ListedMember = z.output<typeof ListedMember>;
