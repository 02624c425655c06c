import * as z from 'zod';
import { Member, roles } from './member.ts';

/** A tenant with projects and members. `owner` is the number of the account that created it. */
export const Organization = z.object({
  id: z.int(),
  org_id: z.string(),
  name: z.string(),
  description: z.string(),
  address: z.string(),
  contact_email: z.string(),
  phone_number: z.string(),
  website: z.string(),
  on_paid_plan: z.boolean(),
  owner: z.int(),
  members: z.array(Member),
  is_default: z.boolean(),
  is_owner: z.boolean(),
  user_role: z.enum(roles),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Organization = z.output<typeof Organization>;
