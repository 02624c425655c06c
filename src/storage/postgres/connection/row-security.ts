import { statementNameOf } from '../../sql/prepared.ts';
import type { PipelineStatement } from './pipeline.ts';

/**
 * Which rows a statement may see: those of the project with this key; those of all projects, for
 * the queue; accounts, organizations and other access data; or none of these.
 */
export type RowScope = number | 'queue' | 'tenants' | 'free';

/** The schema of all tables. */
export const schemaName = 'mneme';

/** Includes the schemas in which extensions may define types. */
export const searchPath = `${schemaName}, public, extensions`;

/** The role of requests, which sees only the rows of the current project. */
export const appRole = 'mneme_app';
/** The role of the queue, the outbox and embedding, which work on all projects. */
export const queueRole = 'mneme_queue';

export type TransactionLimits = {
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, or for a connection. */
  busy_timeout_ms: number;
};

/** `locks`: whether the transaction takes turns with other writers of the scope. */
type EnterScopeOptions = TransactionLimits & { locks: boolean };

/**
 * Statements that restrict the current transaction to one scope. Writers of a project take turns,
 * as do those who change tenants: what one has read is still true when it writes, and positions
 * grow in the order in which they become visible.
 */
export function enterScopeStatements(
  scope: RowScope,
  { locks, ...limits }: EnterScopeOptions,
): PipelineStatement[] {
  const settings = {
    role: scope === 'queue' ? queueRole : appRole,
    'mneme.project': typeof scope === 'number' ? String(scope) : '',
    search_path: searchPath,
    statement_timeout: String(limits.statement_timeout_ms),
    // The shortest wait, because 0 would mean forever.
    lock_timeout: String(Math.max(1, limits.busy_timeout_ms)),
    // JIT compilation takes longer than running these statements, and is decided by guesses.
    jit: 'off',
  };
  const set = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, true)`);
  // Last, when the timeout is set.
  const entered = [...set, `pg_advisory_xact_lock_shared(${transactionLock})`].join(', ');
  const enter = { ...namedStatement(`select ${entered}`), values: Object.values(settings) };
  return [enter, ...(locks ? lockStatements(scope) : [])];
}

function lockStatements(scope: RowScope): PipelineStatement[] {
  if (scope === 'tenants') return [namedStatement(`select pg_advisory_xact_lock(${tenantLock})`)];
  if (typeof scope !== 'number') return [];
  return [
    { ...namedStatement('select from projects where key = $1 for no key update'), values: [scope] },
    namedStatement(`select pg_advisory_xact_lock_shared(${writerLock})`),
  ];
}

/** Only for the program's own few texts: each is named once. */
export function namedStatement(text: string): PipelineStatement {
  const name = statementNames.get(text) ?? statementNameOf(text);
  statementNames.set(text, name);
  return { text, name };
}

const statementNames = new Map<string, string>();

/** 'mnem' in ASCII, because advisory locks are shared with other users of the database. */
const lockNamespace = 0x6d_6e_65_6d;
export const migrationLock = `${lockNamespace}, 0`;
export const tenantLock = `${lockNamespace}, 1`;
/** Held by everyone who may insert memories; its exclusive holder knows that nobody inserts. */
export const writerLock = `${lockNamespace}, 2`;
/** Held while a store is moved into the database. */
export const transferLock = `${lockNamespace}, 3`;
/** Held while vector indexes are built. */
export const hnswIndexLock = `${lockNamespace}, 4`;
/** Held by all transactions; its exclusive holder knows that none is running or can begin. */
export const transactionLock = `${lockNamespace}, 5`;

/** True if a process holds one of the locks above; every user may see that. */
export function isLockedSql(lock: string): string {
  const [space, number] = lock.split(', ');
  return `exists (select from pg_locks where locktype = 'advisory' and granted
    and classid = ${space} and objid = ${number} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()))`;
}
