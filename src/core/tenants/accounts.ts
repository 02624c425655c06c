import type { ListedMember, Member } from '../../contract/schemas/member.ts';
import type { Caller } from '../../contract.ts';
import type { Account, Deps, StoredMember, Tables } from '../ports/index.ts';
import { publicNumber } from './public-number.ts';

/** The account that calls; the local user is the one that the store was made with. */
export async function getCallingAccount(
  { account_id }: Caller,
  { accounts }: Pick<Tables, 'accounts'>,
): Promise<Account> {
  const account = account_id === null ? null : await accounts.find(account_id);
  return account ?? accounts.getFirst();
}

/** Whether the caller has the whole store: its first account, with a credential for all of it. */
export async function administersStore(
  { account_id, bound_to, role }: Caller,
  { accounts }: Pick<Tables, 'accounts'>,
): Promise<boolean> {
  if (bound_to !== null || role !== undefined) return false;
  return account_id === null || account_id === (await accounts.getFirst()).account_id;
}

/** The account by whose places a list is cut; null where other rules say what a caller sees. */
export function memberAccountId({ account_id, role }: Caller): string | null {
  return role === undefined ? account_id : null;
}

/** The account with this e-mail; an unknown one is made, as an invitation. */
export async function findOrInviteAccount(
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  email: string,
  { accounts }: Pick<Tables, 'accounts'>,
): Promise<Account> {
  const existing = await accounts.findByEmail(email);
  if (existing !== null) return existing;
  const created_at = clock.now();
  return accounts.insert({ account_id: ids.next(), email, username: email, created_at });
}

export function toMember({ account_id, username, email, role }: StoredMember): Member {
  return { id: publicNumber(account_id), user_id: account_id, username, email, role };
}

/** An invited account shows only what was sent to it: its id would reveal its age. */
export function toListedMember(member: StoredMember): ListedMember {
  if (member.accepted_at !== null) return { ...toMember(member), status: 'accepted' };
  const { email, role } = member;
  return { id: null, user_id: email, username: email, email, role, status: 'invited' };
}
