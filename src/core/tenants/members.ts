import { ApiError, invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Role } from '../../contract/schemas/member.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Caller } from '../../contract.ts';
import type { Account, Deps, StoredMember, Tables, TenantRef } from '../ports/index.ts';
import { findOrInviteAccount } from './accounts.ts';

type MemberChange = { place: TenantRef; email: string; role: Role };

/**
 * Adds a member; somebody whom the caller cannot know is invited. Whether the account existed makes
 * no difference that the caller can see.
 */
export async function addMember(
  deps: Deps,
  { place, email, role }: MemberChange,
  caller: Caller,
): Promise<void> {
  await deps.store.transaction(async (tables) => {
    const { account_id } = await findOrInviteAccount(deps, email, tables);
    if ((await tables.members.findRole(place, account_id)) !== null) {
      throw new ApiError('conflict', 'this account is a member already; update its role instead');
    }
    const member = { account_id, role, now: deps.clock.now() };
    const isTrusted =
      (await isStoreOwner(tables, caller)) || (await knows(tables, { caller, place, account_id }));
    if (isTrusted) await tables.members.put(place, member);
    else {
      await checkMayInvite(tables, place, account_id);
      await tables.members.invite(place, member);
    }
  });
}

/** By who invites, not by who is invited: nobody can fill a list so that others find no room. */
async function checkMayInvite({ members }: Tables, place: TenantRef, account_id: string) {
  if ((await members.countOtherInvitations(place, account_id)) < limits.invitations_max) return;
  const most = `at most ${limits.invitations_max} invitations of one owner can be open`;
  throw invalid('email', `${most}; withdraw one, or wait until they are answered`);
}

/** The owner of the store makes its keys, and so decides anyway what their accounts reach. */
async function isStoreOwner({ accounts }: Tables, { account_id }: Caller): Promise<boolean> {
  return account_id === null || account_id === (await accounts.getFirst()).account_id;
}

/** Whether both are in one organization, where one of them sees the other among the members. */
async function knows(
  { members }: Tables,
  { caller, place, account_id }: { caller: Caller; place: TenantRef; account_id: string },
): Promise<boolean> {
  const theirs = await members.listTenants(account_id);
  const own = [place, ...(await members.listTenants(caller.account_id ?? ''))];
  return own.some((one) => theirs.some((other) => seeEachOther(one, other)));
}

/** Members of an organization see those of its projects, and the other way round. */
function seeEachOther(one: TenantRef, other: TenantRef): boolean {
  if (one.org_id !== other.org_id) return false;
  const keys = [one.project_key, other.project_key];
  return keys.includes(null) || one.project_key === other.project_key;
}

export async function updateMember(
  deps: Deps,
  { place, email, role }: MemberChange,
): Promise<void> {
  await deps.store.transaction(async (tables) => {
    const member = await getMember(tables, place, email);
    if (role !== 'OWNER') await checkNotLastOwner(tables, place, member);
    const { account_id, accepted_at } = member;
    const change = { account_id, role, now: deps.clock.now() };
    if (accepted_at === null) await tables.members.invite(place, change);
    else await tables.members.put(place, change);
  });
}

export async function removeMember(
  { store }: Pick<Deps, 'store'>,
  { place, email }: StrictOmit<MemberChange, 'role'>,
): Promise<void> {
  await store.transaction(async (tables) => {
    const member = await getMember(tables, place, email);
    await checkNotLastOwner(tables, place, member);
    await tables.members.delete(place, member.account_id);
  });
}

async function getMember(tables: Tables, place: TenantRef, email: string): Promise<StoredMember> {
  const accepted = await tables.members.list(place);
  const members = [...accepted, ...(await tables.members.list(place, 'invited'))];
  const member = members.find((candidate: Account) => candidate.email === email);
  if (member === undefined) throw new ApiError('not_found', 'member not found');
  return member;
}

/** An organization always has an owner; a project has those of its organization. */
async function checkNotLastOwner(tables: Tables, place: TenantRef, member: StoredMember) {
  if (place.project_key !== null || member.role !== 'OWNER') return;
  if (member.accepted_at === null) return;
  const owners = (await tables.members.list(place)).filter(({ role }) => role === 'OWNER');
  if (owners.length > 1) return;
  throw new ApiError(
    'conflict',
    'an organization needs at least one OWNER; promote another member first',
  );
}

/** Whether an account has accepted places and owns none of them: one without any is nobody's. */
export async function isReaderEverywhere(
  account_id: string,
  { members }: Pick<Tables, 'members'>,
): Promise<boolean> {
  const places = await members.listTenants(account_id);
  const roles = await Promise.all(places.map((place) => members.findRole(place, account_id)));
  return roles.length > 0 && roles.every((role) => role === 'READER');
}
