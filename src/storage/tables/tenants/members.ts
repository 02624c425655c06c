import type { Role } from '../../../contract/schemas/member.ts';
import type { Instant, MemberTable, StoredMember, TenantRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';

export function createMemberTable(at: DbContext): MemberTable {
  return {
    findRole: (place, account_id) => findRole(at, place, account_id),
    list: (place) => listMembers(at, place),
    put: (place, member) => putMember(at, place, member),
    delete: (place, account_id) => deleteMembers(at, place, account_id),
    deleteAll: (place) => deleteMembers(at, place, null),
    listTenants: (account_id) => listPlaces(at, account_id),
  };
}

async function findRole(at: DbContext, place: TenantRef, account_id: string): Promise<Role | null> {
  const { org_id, project_key } = place;
  const [member] = await (project_key === null
    ? findOrganizationRole(at, { org_id, account_id })
    : findProjectRole(at, { org_id, project_key, account_id }));
  return member?.role ?? null;
}

type MemberKey = { org_id: string; account_id: string };

const findOrganizationRole = prepareStatement((db, value: StatementParameters<MemberKey>) =>
  membersOf(db, { org_id: value('org_id'), project_key: null })
    .select('role')
    .where('members.account_id', '=', value('account_id')),
);

const findProjectRole = prepareStatement(
  (db, value: StatementParameters<MemberKey & { project_key: number }>) =>
    membersOf(db, { org_id: value('org_id'), project_key: value('project_key') })
      .select('role')
      .where('members.account_id', '=', value('account_id')),
);

/** Oldest first. */
async function listMembers(at: DbContext, place: TenantRef): Promise<StoredMember[]> {
  const rows = await membersOf(at.db, place)
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .selectAll('accounts')
    .select('members.role')
    .orderBy('members.position')
    .execute();
  return rows.map((row) => ({ ...row }));
}

export async function putMember(
  { db }: DbContext,
  { org_id, project_key }: TenantRef,
  { account_id, role, now }: { account_id: string; role: Role; now: Instant },
): Promise<void> {
  await db
    .insertInto('members')
    .values({ org_id, project_key, account_id, role, created_at: now })
    .onConflict((conflict) =>
      project_key === null
        ? conflict
            .columns(['org_id', 'account_id'])
            .where('project_key', 'is', null)
            .doUpdateSet({ role })
        : conflict
            .columns(['project_key', 'account_id'])
            .where('project_key', 'is not', null)
            .doUpdateSet({ role }),
    )
    .execute();
}

/** The rows of one member or of all: of the project, or of the organization and its projects. */
async function deleteMembers(
  { db }: DbContext,
  { org_id, project_key }: TenantRef,
  account_id: string | null,
): Promise<void> {
  let members = db.deleteFrom('members').where('org_id', '=', org_id);
  if (project_key !== null) members = members.where('project_key', '=', project_key);
  if (account_id !== null) members = members.where('account_id', '=', account_id);
  await members.execute();
}

/** Oldest first. */
async function listPlaces(at: DbContext, account_id: string): Promise<TenantRef[]> {
  return (await listPlaceRows(at, { account_id })).map((row) => ({ ...row }));
}

const listPlaceRows = prepareStatement((db, value: StatementParameters<{ account_id: string }>) =>
  db
    .selectFrom('members')
    .select(['org_id', 'project_key'])
    .where('account_id', '=', value('account_id'))
    .orderBy('position'),
);

function membersOf(db: Database, { org_id, project_key }: TenantRef) {
  const members = db.selectFrom('members').where('members.org_id', '=', org_id);
  return project_key === null
    ? members.where('members.project_key', 'is', null)
    : members.where('members.project_key', '=', project_key);
}
