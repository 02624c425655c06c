import type { Selectable } from 'kysely';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { OrganizationTable, StoredOrganization } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { OrganizationRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const organizationStatements: StatementsOf<OrganizationTable> = {
  find: { scope: 'tenants', run: findOrganization },
  insert: { scope: 'tenants', run: insertOrganization },
  list: { scope: 'tenants', run: listOrganizations },
  delete: { scope: 'tenants', run: deleteOrganization },
};

export async function findOrganization(
  { db }: DbContext,
  org_id: string,
): Promise<StoredOrganization | null> {
  const organizations = db.selectFrom('organizations').selectAll();
  const row = await organizations.where('org_id', '=', org_id).executeTakeFirst();
  return row === undefined ? null : toOrganization(row);
}

export async function insertOrganization(
  { db }: DbContext,
  organization: StrictOmit<StoredOrganization, 'number'>,
): Promise<StoredOrganization> {
  const insert = db.insertInto('organizations').values(organization).returningAll();
  return toOrganization(await insert.executeTakeFirstOrThrow());
}

/** Organizations of which the account is a member, or of one of their projects; not invitations. */
async function listOrganizations(
  { db }: DbContext,
  member_id: string | null,
): Promise<StoredOrganization[]> {
  let organizations = db.selectFrom('organizations').selectAll();
  if (member_id !== null) {
    organizations = organizations.where('org_id', 'in', (eb) =>
      eb
        .selectFrom('members')
        .select('members.org_id')
        .where('members.account_id', '=', member_id)
        .where('members.accepted_at', 'is not', null),
    );
  }
  return (await organizations.orderBy('number').execute()).map(toOrganization);
}

async function deleteOrganization({ db }: DbContext, org_id: string): Promise<void> {
  for (const table of ['projects', 'members'] as const) {
    const left = db.selectFrom(table).select('org_id').where('org_id', '=', org_id).limit(1);
    if ((await left.executeTakeFirst()) === undefined) continue;
    throw new Error(`an organization that is deleted must have no ${table}`);
  }
  await db.deleteFrom('organizations').where('org_id', '=', org_id).execute();
}

function toOrganization(row: Selectable<OrganizationRow>): StoredOrganization {
  return { ...row };
}
