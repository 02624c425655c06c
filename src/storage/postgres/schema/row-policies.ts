import type { ClientBase } from 'pg';
import { ApiError, errorCodeOf } from '../../../contract/errors.ts';
import { findTable } from '../../sql/schema/tables.ts';
import { appRole, queueRole, schemaName } from '../connection/row-security.ts';

/** Creates the two roles. They belong to the server, so another database may have them already. */
export async function createRoles(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string; missing: boolean; member: boolean }>(
    `select name, role.rolname is null as missing,
        coalesce(pg_has_role(current_user, role.oid, 'member'), false) as member
      from unnest($1::text[]) as name left join pg_roles as role on role.rolname = name`,
    [[appRole, queueRole]],
  );
  const statements = rows.flatMap(({ name, missing, member }) => [
    ...(missing ? [`create role ${name} nologin`] : []),
    ...(missing || !member ? [`grant ${name} to current_user`] : []),
  ]);
  for (const statement of statements) {
    await client.query('savepoint role');
    try {
      await client.query(statement);
    } catch (error) {
      // Two databases of one server may be set up at the same time.
      if (!alreadyExists(error)) throw rolesRefused(error);
      await client.query('rollback to role');
    }
  }
}

function alreadyExists(error: unknown): boolean {
  return ['42710', '23505'].includes(errorCodeOf(error));
}

function rolesRefused(cause: unknown): ApiError {
  return new ApiError(
    'unavailable',
    `the database user may not create the roles ${appRole} and ${queueRole}; ask an ` +
      `administrator to run: create role ${appRole}; create role ${queueRole}; ` +
      `grant ${appRole}, ${queueRole} to the user of database_url`,
    { elsewhere: 'the store is not set up yet', cause },
  );
}

/** Lets migrations change rows, because forced policies apply to the owner of a table too. */
export async function suspendPolicies(client: ClientBase): Promise<void> {
  for (const table of await listTables(client)) {
    if (table.has_project)
      await client.query(`alter table ${table.name} no force row level security`);
  }
}

/**
 * Grants the roles what they need on every table and no more. Requests see rows with a project key
 * only in their own project; this includes tables that a migration adds.
 */
export async function grantRights(client: ClientBase): Promise<void> {
  const roles = `${appRole}, ${queueRole}`;
  await client.query(`grant usage on schema ${schemaName} to ${roles}`);
  await client.query(`revoke all on schema ${schemaName} from public`);
  await client.query(`grant usage, select on all sequences in schema ${schemaName} to ${roles}`);
  await client.query(`revoke all on function find_positions from public`);
  await client.query(`grant execute on function find_positions to ${appRole}`);
  for (const table of await listTables(client)) {
    await client.query(
      table.has_project ? projectPolicySql(table.name) : grantAllSql(table.name, roles),
    );
  }
}

type PolicyTable = { name: string; has_project: boolean };

/** `members` is exempt: it is read to find out which project a request may see. */
async function listTables(client: ClientBase): Promise<PolicyTable[]> {
  const { rows } = await client.query<PolicyTable>(
    `select relname as name, relname <> 'members' and exists (
        select from pg_attribute
        where attrelid = pg_class.oid and attname = 'project_key' and not attisdropped
      ) as has_project
      from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [schemaName],
  );
  return rows;
}

function grantAllSql(table: string, roles: string): string {
  return `grant select, insert, update, delete on ${table} to ${roles}`;
}

function projectPolicySql(table: string): string {
  // The word index is read through a function that sets the project itself.
  const isIndex = table === 'memory_fts';
  const queue = findTable(table)?.queueRights;
  const match = 'project_key = (select current_project())';
  return `
    alter table ${table} enable row level security;
    alter table ${table} ${isIndex ? 'no force' : 'force'} row level security;
    drop policy if exists own_project on ${table};
    drop policy if exists all_projects on ${table};
    create policy own_project on ${table} to ${appRole} using (${match}) with check (${match});
    ${grantAllSql(table, appRole)};
    ${queue === undefined ? '' : queuePolicySql(table, queue)}
  `;
}

function queuePolicySql(table: string, rights: string): string {
  return `grant ${rights} on ${table} to ${queueRole};
    create policy all_projects on ${table} to ${queueRole} using (true);`;
}
