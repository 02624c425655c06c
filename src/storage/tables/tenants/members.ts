import { type ExpressionBuilder, sql } from 'kysely';
import type { MemberStatus, Role } from '../../../contract/schemas/member.ts';
import type {
  Instant,
  MemberTable,
  NewMember,
  StoredInvitation,
  StoredMember,
  TenantRef,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { Database } from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const memberStatements: StatementsOf<MemberTable> = {
  findRole: { scope: 'tenants', run: findRole },
  list: { scope: 'tenants', run: listMembers },
  put: { scope: 'tenants', run: putMember },
  invite: { scope: 'tenants', run: inviteMember },
  delete: { scope: 'tenants', run: deleteMembers },
  deleteAll: { scope: 'tenants', run: (at, tenant) => deleteMembers(at, tenant, null) },
  listTenants: { scope: 'tenants', run: listPlaces },
  listInvitations: { scope: 'tenants', run: listInvitations },
  countOtherInvitations: { scope: 'tenants', run: countOtherInvitations },
  acceptInvitations: { scope: 'tenants', run: acceptInvitations },
  declineInvitations: { scope: 'tenants', run: declineInvitations },
};

async function findRole(
  at: DbContext,
  tenant: TenantRef,
  account_id: string,
): Promise<Role | null> {
  const { org_id, project_key } = tenant;
  const [member] = await (project_key === null
    ? findOrganizationRole(at, { org_id, account_id })
    : findProjectRole(at, { org_id, project_key, account_id }));
  return member?.role ?? null;
}

type MemberKey = { org_id: string; account_id: string };

const findOrganizationRole = prepareStatement((db, value: StatementParameters<MemberKey>) =>
  membersOf(db, { org_id: value('org_id'), project_key: null })
    .select('role')
    .where('members.account_id', '=', value('account_id'))
    .where('members.accepted_at', 'is not', null),
);

const findProjectRole = prepareStatement(
  (db, value: StatementParameters<MemberKey & { project_key: number }>) =>
    membersOf(db, { org_id: value('org_id'), project_key: value('project_key') })
      .select('role')
      .where('members.account_id', '=', value('account_id'))
      .where('members.accepted_at', 'is not', null),
);

/** Oldest first. */
async function listMembers(
  at: DbContext,
  tenant: TenantRef,
  status: MemberStatus = 'accepted',
): Promise<StoredMember[]> {
  const rows = await membersOf(at.db, tenant)
    .innerJoin('accounts', 'accounts.account_id', 'members.account_id')
    .selectAll('accounts')
    .select(['members.role', 'members.accepted_at'])
    .where('members.accepted_at', status === 'invited' ? 'is' : 'is not', null)
    .orderBy('members.position')
    .execute();
  return rows.map((row) => ({ ...row }));
}

export function putMember(at: DbContext, tenant: TenantRef, member: NewMember): Promise<void> {
  return insertMember(at, tenant, { ...member, accepted_at: member.now });
}

function inviteMember(at: DbContext, tenant: TenantRef, member: NewMember): Promise<void> {
  return insertMember(at, tenant, { ...member, accepted_at: null });
}

async function insertMember(
  { db }: DbContext,
  { org_id, project_key }: TenantRef,
  { account_id, role, now, accepted_at }: NewMember & { accepted_at: Instant | null },
): Promise<void> {
  const changes = { role, accepted_at: acceptedOnce };
  await db
    .insertInto('members')
    .values({ org_id, project_key, account_id, role, created_at: now, accepted_at })
    .onConflict((conflict) =>
      project_key === null
        ? conflict
            .columns(['org_id', 'account_id'])
            .where('project_key', 'is', null)
            .doUpdateSet(changes)
        : conflict
            .columns(['project_key', 'account_id'])
            .where('project_key', 'is not', null)
            .doUpdateSet(changes),
    )
    .execute();
}

/** An invitation that was accepted stays accepted. */
const acceptedOnce = sql<Instant | null>`coalesce(members.accepted_at, excluded.accepted_at)`;

/** The rows of one member or of all: of the project, or of the organization and its projects. */
async function deleteMembers(
  { db }: DbContext,
  tenant: TenantRef,
  account_id: string | null,
): Promise<void> {
  let members = db.deleteFrom('members').where(isWithin(tenant));
  if (account_id !== null) members = members.where('account_id', '=', account_id);
  await members.execute();
}

async function listPlaces(at: DbContext, account_id: string): Promise<TenantRef[]> {
  return (await listPlaceRows(at, { account_id })).map((row) => ({ ...row }));
}

const listPlaceRows = prepareStatement((db, value: StatementParameters<{ account_id: string }>) =>
  db
    .selectFrom('members')
    .select(['org_id', 'project_key'])
    .where('account_id', '=', value('account_id'))
    .where('accepted_at', 'is not', null)
    .orderBy('position'),
);

async function listInvitations(
  { db }: DbContext,
  account_id: string,
  { place, page, page_size }: { place: TenantRef | null; page: number; page_size: number },
): Promise<{ results: StoredInvitation[]; total: number }> {
  let invitations = db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.org_id', 'members.org_id')
    .leftJoin('projects', 'projects.key', 'members.project_key')
    .where('members.account_id', '=', account_id)
    .where('members.accepted_at', 'is', null);
  if (place !== null) invitations = invitations.where(isWithin(place));
  const { total } = await invitations
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const results = await invitations
    .select(['members.org_id', 'organizations.name as organization_name'])
    .select(['projects.project_id', 'projects.name as project_name'])
    .select(['members.role', 'members.created_at'])
    .orderBy('members.position', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute();
  return { results, total: Number(total) };
}

async function countOtherInvitations(
  { db }: DbContext,
  { org_id, project_key }: TenantRef,
  account_id: string,
): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.org_id', 'members.org_id')
    .where('members.account_id', '=', account_id)
    .where('members.accepted_at', 'is', null)
    .where('organizations.owner_id', '=', ({ selectFrom }) =>
      selectFrom('organizations as own').select('own.owner_id').where('own.org_id', '=', org_id),
    )
    .where(({ not, and, eb }) =>
      not(
        and([
          eb('members.org_id', '=', org_id),
          eb('project_key', 'is not distinct from', project_key),
        ]),
      ),
    )
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Deletes and inserts the rows, because their positions keep the order of acceptance. */
async function acceptInvitations(
  at: DbContext,
  tenant: TenantRef,
  account_id: string,
  now: Instant,
): Promise<boolean> {
  const invited = await deleteInvitations(at, tenant, account_id);
  for (const { position: _, ...row } of invited) {
    await at.db
      .insertInto('members')
      .values({ ...row, accepted_at: now })
      .execute();
  }
  return invited.length > 0;
}

async function declineInvitations(
  at: DbContext,
  tenant: TenantRef,
  account_id: string,
): Promise<boolean> {
  return (await deleteInvitations(at, tenant, account_id)).length > 0;
}

async function deleteInvitations({ db }: DbContext, tenant: TenantRef, account_id: string) {
  const rows = await db
    .deleteFrom('members')
    .where('account_id', '=', account_id)
    .where('accepted_at', 'is', null)
    .where(isWithin(tenant))
    .returningAll()
    .execute();
  return rows.toSorted((one, other) => one.position - other.position);
}

/** Whether a row is of the project, or of the organization or one of its projects. */
function isWithin({ org_id, project_key }: TenantRef) {
  return (eb: ExpressionBuilder<DatabaseSchema, 'members'>) =>
    eb.and([
      eb('members.org_id', '=', org_id),
      ...(project_key === null ? [] : [eb('members.project_key', '=', project_key)]),
    ]);
}

function membersOf(db: Database, { org_id, project_key }: TenantRef) {
  const members = db.selectFrom('members').where('members.org_id', '=', org_id);
  return project_key === null
    ? members.where('members.project_key', 'is', null)
    : members.where('members.project_key', '=', project_key);
}
