import { nameOf } from '../prepared.ts';
import type { Statement } from './postgres-pipe.ts';

/**
 * Whose rows a statement is about: those of the project with this key; what concerns all projects,
 * as the queue does; accounts, organizations and what else says who may do what; or none of these.
 */
export type Scope = number | 'queue' | 'tenants' | 'free';

/** Where all tables are. */
export const schemaName = 'mneme';

/** Where an extension's types may be, besides. */
export const searchPath = `${schemaName}, public, extensions`;

/** What requests run as: sees the rows of the project that is set, and of no other. */
export const appRole = 'mneme_app';
/** What works through the queue, the outbox and the vectors of all projects. */
export const queueRole = 'mneme_queue';

export type Limits = {
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, and for a connection. */
  busy_timeout_ms: number;
};

/** `locks`: whether it takes its turn among those that write in this scope. */
type Entering = Limits & { locks: boolean };

/**
 * Statements that let the current transaction see a scope and no more, until it ends. Writers of a
 * project take turns, and so do those who change tenants: what one has looked up is still true when
 * it writes, and positions grow in the order in which they become visible.
 */
export function enterStatements(scope: Scope, { locks, ...limits }: Entering): Statement[] {
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
  const entered = [...set, `pg_advisory_xact_lock_shared(${workLock})`].join(', ');
  const enter = { ...named(`select ${entered}`), values: Object.values(settings) };
  return [enter, ...(locks ? locksOf(scope) : [])];
}

function locksOf(scope: Scope): Statement[] {
  if (scope === 'tenants') return [named(`select pg_advisory_xact_lock(${tenantLock})`)];
  if (typeof scope !== 'number') return [];
  return [
    { ...named('select from projects where key = $1 for no key update'), values: [scope] },
    named(`select pg_advisory_xact_lock_shared(${writerLock})`),
  ];
}

/** Of texts that are the program's own, and few: each is named once. */
export function named(text: string): Statement {
  const name = names.get(text) ?? nameOf(text);
  names.set(text, name);
  return { text, name };
}

const names = new Map<string, string>();

/** 'mnem' in ASCII, and a number: advisory locks are shared with whoever uses the database. */
const lockSpace = 0x6d_6e_65_6d;
export const migrationLock = `${lockSpace}, 0`;
export const tenantLock = `${lockSpace}, 1`;
/** Held by all who may insert memories: who gets it alone knows that none is at it. */
export const writerLock = `${lockSpace}, 2`;
/** Held by who moves a store into the database. */
export const lockOfMove = `${lockSpace}, 3`;
/** Held by who makes graphs of vectors. */
export const graphLock = `${lockSpace}, 4`;
/** Held by all transactions: who gets it alone knows that none is under way or begins. */
export const workLock = `${lockSpace}, 5`;

/** True where some process holds a lock of those above; whoever may connect can see it. */
export function heldSql(lock: string): string {
  const [space, number] = lock.split(', ');
  return `exists (select from pg_locks where locktype = 'advisory' and granted
    and classid = ${space} and objid = ${number} and objsubid = 2
    and database = (select oid from pg_database where datname = current_database()))`;
}
