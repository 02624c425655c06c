import { ApiError } from '../../contract/errors.ts';
import type { Role } from '../../contract/schemas/member.ts';
import type { Account, Deps, StoredMember, Tables, TenantRef } from '../ports/index.ts';
import { findOrInviteAccount } from './accounts.ts';

type MemberChange = { place: TenantRef; email: string; role: Role };

export async function addMember(deps: Deps, { place, email, role }: MemberChange): Promise<void> {
  await deps.store.transaction(async (tables) => {
    const account = await findOrInviteAccount(deps, email, tables);
    if ((await tables.members.findRole(place, account.account_id)) !== null) {
      throw new ApiError('conflict', 'this account is a member already; update its role instead');
    }
    const now = deps.clock.now();
    await tables.members.put(place, { account_id: account.account_id, role, now });
  });
}

export async function updateMember(
  deps: Deps,
  { place, email, role }: MemberChange,
): Promise<void> {
  await deps.store.transaction(async (tables) => {
    const member = await getMember(tables, place, email);
    if (role !== 'OWNER') await checkNotLastOwner(tables, place, member);
    const now = deps.clock.now();
    await tables.members.put(place, { account_id: member.account_id, role, now });
  });
}

export async function removeMember(
  { store }: Pick<Deps, 'store'>,
  { place, email }: Omit<MemberChange, 'role'>,
): Promise<void> {
  await store.transaction(async (tables) => {
    const member = await getMember(tables, place, email);
    await checkNotLastOwner(tables, place, member);
    await tables.members.delete(place, member.account_id);
  });
}

async function getMember(tables: Tables, place: TenantRef, email: string): Promise<StoredMember> {
  const members = await tables.members.list(place);
  const member = members.find((candidate: Account) => candidate.email === email);
  if (member === undefined) throw new ApiError('not_found', 'member not found');
  return member;
}

/** An organization always has an owner; a project has those of its organization. */
async function checkNotLastOwner(tables: Tables, place: TenantRef, member: StoredMember) {
  if (place.project_key !== null || member.role !== 'OWNER') return;
  const owners = (await tables.members.list(place)).filter(({ role }) => role === 'OWNER');
  if (owners.length > 1) return;
  throw new ApiError('conflict', 'the last OWNER of an organization stays; make another one first');
}
