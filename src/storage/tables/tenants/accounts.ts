import type { Selectable } from 'kysely';
import { ApiError } from '../../../contract/errors.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { Account, AccountTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { AccountRow } from '../../sql/schema.ts';
import type { StatementsOf } from '../../sql/statement.ts';

export const accountStatements: StatementsOf<AccountTable> = {
  find: { scope: 'tenants', run: (at, account_id) => findAccount(at, { account_id }) },
  findByEmail: { scope: 'tenants', run: (at, email) => findAccount(at, { email }) },
  insert: { scope: 'tenants', run: insertAccount },
  getFirst: { scope: 'tenants', run: getFirstAccount },
};

async function findAccount(
  { db }: DbContext,
  by: { account_id: string } | { email: string },
): Promise<Account | null> {
  const accounts = db.selectFrom('accounts').selectAll();
  const row = await ('email' in by
    ? accounts.where('email', '=', by.email)
    : accounts.where('account_id', '=', by.account_id)
  ).executeTakeFirst();
  return row === undefined ? null : toAccount(row);
}

async function insertAccount(
  { db }: DbContext,
  account: StrictOmit<Account, 'number'>,
): Promise<Account> {
  const row = await db
    .insertInto('accounts')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new ApiError('conflict', 'an account with this e-mail exists');
  return toAccount(row);
}

export async function getFirstAccount({ db }: DbContext): Promise<Account> {
  const accounts = db.selectFrom('accounts').selectAll().orderBy('number').limit(1);
  return toAccount(await accounts.executeTakeFirstOrThrow());
}

function toAccount(row: Selectable<AccountRow>): Account {
  return { ...row };
}
