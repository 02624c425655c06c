import type { Tables } from '../../core/ports/index.ts';
import type { DbContext } from './db-context.ts';

/**
 * Which rows a statement may see on a server: those of the project that is its first argument, or
 * of the project of the job or delivery that is; those of all projects, for the queue; accounts,
 * organizations and other access data; or none of these.
 */
export type StatementScope = 'project' | 'job' | 'queue' | 'tenants' | 'free';

type ScopeOf<A extends unknown[]> =
  | Exclude<StatementScope, 'project' | 'job'>
  | (A extends [{ key: number }, ...unknown[]] ? 'project' : never)
  | (A extends [{ project: { key: number } }, ...unknown[]] ? 'job' : never);

/** The result, on a server, of a function about vectors that a process caches: there are none. */
type ConstantAnswer<R> = { constant: R };

/** Work that a statement which commits on its own adds to its transaction. */
type AutocommitSteps<A extends unknown[], R> = {
  /**
   * The answer if reading alone finds it, or null: a worker without work or a repeated request must
   * not block writers.
   */
  read: (at: DbContext, ...args: A) => Promise<{ answer: Awaited<R> } | null>;
  /** The work of the transaction, if it is more than the statement. */
  write?: (tables: Tables, ...args: A) => R;
};

/** A statement of the store, or a few that belong together. */
export type StoreStatement<A extends unknown[], R> = {
  run: (at: DbContext, ...args: A) => R;
  scope: (R extends Promise<unknown> ? ScopeOf<A> : never) | ConstantAnswer<Awaited<R>>;
  /** Present if a call outside a transaction has one of its own. */
  autocommit?: true | AutocommitSteps<A, R>;
  /** Present if after it there may be work for other processes. */
  queuesWork?: true;
};

/** One statement for each function of a table's port. */
export type StatementsOf<T> = {
  [M in keyof T]: T[M] extends (...args: infer A) => infer R ? StoreStatement<A, R> : never;
};

/** A statement whose arguments only its caller knows. */
export type AnyStatement = {
  run: (at: DbContext, ...args: never[]) => unknown;
  scope: StatementScope | ConstantAnswer<unknown>;
  autocommit?: true | AutocommitSteps<never[], unknown>;
  queuesWork?: true;
};

/** Runs a statement somewhere: on a connection, or in a transaction. */
export type StatementCall = (statement: AnyStatement, args: never[]) => unknown;
