import { statementNameOf } from '../../sql/prepared.ts';
import type { PipelineStatement } from './pipeline.ts';

/**
 * Whose rows a statement is about: those of the project with this key; what concerns all projects,
 * as the queue does; accounts, organizations and what else says who may do what; or none of these.
 */
export type RowScope = number | 'queue' | 'tenants' | 'free';

/** Where all tables are. */
export const schemaName = 'mneme';

/** Where an extension's types may be, besides. */
export const searchPath = `${schemaName}, public, extensions`;

/** What requests run as: sees the rows of the project that is set, and of no other. */
export const appRole = 'mneme_app';
/** What works through the queue, the outbox and the vectors of all projects. */
export const queueRole = 'mneme_queue';

export type TransactionLimits = {
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, and for a connection. */
  busy_timeout_ms: number;
};

/** `locks`: whether it takes its turn among those that write in this scope. */
type EnterScopeOptions = TransactionLimits & { locks: boolean };

/**
 * Statements that let the current transaction see a scope and no more, until it ends. Writers of a
 * project take turns, and so do those who change tenants: what one has looked up is still true when
 * it writes, and positions grow in the order in which they become visible.
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
    // Where nobody is to be waited for: 0 would be for ever.
    lock_timeout: String(Math.max(1, limits.busy_timeout_ms)),
    // Compiling a statement takes longer than running it does, and is decided by guesses.
    jit: 'off',
  };
  const set = Object.keys(settings).map((name, at) => `set_config('${name}', $${at + 1}, true)`);
  // Last, when it is set how long to wait.
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

/** Of texts that are the program's own, and few: each is named once. */
export function namedStatement(text: string): PipelineStatement {
  const name = statementNames.get(text) ?? statementNameOf(text);
  statementNames.set(text, name);
  return { text, name };
}

const statementNames = new Map<string, string>();

/** 'mnem' in ASCII, and a number: advisory locks are shared with whoever uses the database. */
const lockNamespace = 0x6d_6e_65_6d;
export const migrationLock = `${lockNamespace}, 0`;
export const tenantLock = `${lockNamespace}, 1`;
/** Held by all who may insert memories: who gets it alone knows that none is at it. */
export const writerLock = `${lockNamespace}, 2`;
/** Held by who moves a store into the database. */
export const transferLock = `${lockNamespace}, 3`;
/** Held by who makes graphs of vectors. */
export const hnswIndexLock = `${lockNamespace}, 4`;
/** Held by all transactions: who gets it alone knows that none is under way or begins. */
export const transactionLock = `${lockNamespace}, 5`;

/** True where some process holds a lock of those above; whoever may connect can see it. */
export function isLockedSql(lock: string): string {
  const [space, number] = lock.split(', ');
  return `exists (select from pg_locks where locktype = 'advisory' and granted
    and classid = ${space} and objid = ${number} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()))`;
}
