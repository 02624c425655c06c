import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import type { ApiError } from '../../../contract/errors.ts';
import { errorCodeOf } from '../../../contract/errors.ts';
import type { Logger } from '../../../core/ports/index.ts';
import {
  type SchemaStep,
  schemaAfter,
  schemaProblem,
  schemaSteps,
  schemaVersion,
} from '../../migrations/steps.ts';
import { metaKeys } from '../../sql/schema/meta-keys.ts';
import { insertDefaultTenant } from '../../tables/tenants/default-tenant.ts';
import { checkServer } from '../check-server.ts';
import { postgresUnavailable } from '../connection/errors.ts';
import {
  appRole,
  migrationLock,
  schemaName,
  searchPath,
  transactionLock,
} from '../connection/row-security.ts';
import { createPostgresSession } from '../connection/session.ts';
import { createFunctionsSql } from './functions.ts';
import { createRoles, grantRights, suspendPolicies } from './row-policies.ts';
import { createTablesSql, postgresWords } from './tables.ts';

type PostgresMigrationOptions = {
  log: Logger;
  shown: string;
  /** For the move itself: a database that a store is being moved into is closed to others. */
  forTransfer?: boolean;
  /** Instead of those of this version. */
  steps?: readonly SchemaStep[] | undefined;
};

/**
 * Creates or upgrades the tables if needed, in one transaction. Other starting processes wait for
 * it; running ones continue.
 */
export async function migratePostgres(
  client: ClientBase,
  parts: PostgresMigrationOptions,
): Promise<void> {
  await checkServer(client, parts);
  const { steps = schemaSteps, log } = parts;
  const to = schemaAfter(steps);
  if ((await inReadOnlyTransaction(client, () => readVersion(client, parts))) === to) return;
  await inMigrationTransaction(client, async () => {
    // Read again, because another process may have been faster.
    const from = await readVersion(client, parts);
    if (from === to) return;
    if (from === 0) await createTables(client);
    else {
      await lockTables(client);
      await suspendPolicies(client);
      const { db } = createPostgresSession(client);
      for (const step of steps.slice(from - 1)) await step(db, postgresWords);
    }
    await grantRights(client);
    await client.query(
      `insert into meta (key, value) values ($1, $2)
        on conflict (key) do update set value = excluded.value`,
      [metaKeys.schema, String(to)],
    );
    if (from > 0) log('info', 'store upgraded', { from, to });
  });
}

/** How long a lock on the tables may make later transactions wait. */
const lockWaitMs = 300;
/** After one second, PostgreSQL cancels an autovacuum that blocks the lock. */
const longLockWaitMs = 2_000;
const lockAttemptsMax = 100;
const pauseMs = 100;

/**
 * Locks all tables before anything changes. Transactions of other servers begin with a shared lock
 * that this one takes exclusively: it waits for running ones, and all later ones wait for it.
 * Transactions without that lock, such as those of `psql`, may lock tables in another order; while
 * it waits for one, it soon releases everything, so that the other can end and nobody fails.
 */
async function lockTables(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(relname, ', ' order by relname) as names from pg_class
      where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition`,
    [schemaName],
  );
  for (let turn = 1; ; turn += 1) {
    const longest = turn % 5 === 0 ? longLockWaitMs : lockWaitMs;
    await client.query(`savepoint unlocked; set local lock_timeout = ${longest}`);
    try {
      await client.query(`select pg_advisory_xact_lock(${transactionLock})`);
      await client.query(`lock table ${rows[0]?.names} in access exclusive mode`);
      await client.query('set local lock_timeout to default');
      return;
    } catch (error) {
      await client.query('rollback to unlocked');
      if (turn === lockAttemptsMax || !isLockConflict(error)) throw error;
      await sleep(pauseMs * (0.5 + Math.random()));
    }
  }
}

/** The lock timeout has passed, or there was a deadlock. */
function isLockConflict(error: unknown): boolean {
  return /^(55P03|40P01)$/.test(errorCodeOf(error));
}

/** Runs as the owner of the tables, one process at a time. */
export async function inMigrationTransaction(
  client: ClientBase,
  run: () => Promise<void>,
): Promise<void> {
  await client.query(`begin; select pg_advisory_xact_lock(${migrationLock})`);
  try {
    await client.query(`set local search_path to ${searchPath}`);
    await run();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/**
 * Runs reads in a transaction, during which a pooler keeps the connection; `settings` are
 * statements that apply until its end.
 */
export async function inReadOnlyTransaction<T>(
  client: ClientBase,
  run: () => Promise<T>,
  settings = '',
): Promise<T> {
  await client.query(`begin read only; ${settings}`);
  try {
    return await run();
  } finally {
    await client.query('rollback').catch(() => {}); // keeps the first failure
  }
}

/** 0 if there is no store yet. */
async function readVersion(
  client: ClientBase,
  { shown, forTransfer = false, steps = schemaSteps }: PostgresMigrationOptions,
): Promise<number> {
  const { version, isMoving } = await findStoreState(client);
  if (isMoving && !forTransfer) throw transferUnfinished(shown);
  checkSchema(version, { shown, known: schemaAfter(steps) });
  return version;
}

/** Refuses a store of a schema after the `known` one. */
export function checkSchema(
  version: number,
  { shown, known = schemaVersion }: { shown: string; known?: number },
): void {
  if (version <= known) return;
  const problem = schemaProblem({ version, known, elsewhere: 'another database' });
  throw postgresUnavailable(shown, problem);
}

/** Reads the state that the database records; version 0 without a store. Needs a transaction. */
export async function findStoreState(
  client: ClientBase,
): Promise<{ version: number; isMoving: boolean }> {
  if (!(await hasTable(client, 'meta'))) return { version: 0, isMoving: false };
  const { rows } = await asAppRole(client, () =>
    client.query<{ key: string; value: string }>(
      `select key, value from ${schemaName}.meta where key = any($1)`,
      [[metaKeys.schema, metaKeys.transfer]],
    ),
  );
  const version = Number(rows.find(({ key }) => key === metaKeys.schema)?.value ?? 0);
  return { version, isMoving: rows.some(({ key }) => key === metaKeys.transfer) };
}

function transferUnfinished(shown: string): ApiError {
  return postgresUnavailable(
    shown,
    'holds an unfinished move: wait for `mneme migrate` to finish, or run it again with --resume',
  );
}

/** Reads the catalogue, which every user may. */
export async function hasTable(client: ClientBase, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = $1 and relname = $2`,
    [schemaName, name],
  );
  return rowCount !== 0;
}

/** Reads rows that belong to no project, even if the user itself may not. Needs a transaction. */
export async function asAppRole<T>(client: ClientBase, run: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ may: boolean }>(
    `select has_schema_privilege($1, 'usage') as may`,
    [schemaName],
  );
  if (rows[0]?.may) return run();
  await client.query(`set local role ${appRole}`);
  const result = await run();
  await client.query('set local role to default');
  return result;
}

async function createTables(client: ClientBase): Promise<void> {
  await createRoles(client);
  await client.query(`create schema if not exists ${schemaName}`);
  for (const statement of [...createFunctionsSql(), ...createTablesSql()])
    await client.query(statement);
  const secret = randomBytes(32).toString('hex');
  await client.query('insert into meta (key, value) values ($1, $2)', [metaKeys.secret, secret]);
  await insertDefaultTenant(createPostgresSession(client).db);
}
