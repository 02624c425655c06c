import type { PoolClient } from 'pg';
import type { DbSession } from '../../sql/dialect.ts';
import { enterScopeStatements, type RowScope, type TransactionLimits } from './row-security.ts';
import type { PostgresSession } from './session.ts';

export type ScopedTransaction = {
  /** Runs what belongs into a scope; the first one begins the transaction. */
  within<T>(scope: RowScope, run: (session: DbSession) => Promise<T>): Promise<T>;
};

/** A connection that is lent, and what was made for it. */
export type PooledConnection = { client: PoolClient; session: PostgresSession };

export type ConnectionSource = {
  checkOut(): Promise<PooledConnection>;
  limits: TransactionLimits;
};

/** A transaction on a connection that is its own. */
export type OpenTransaction = ScopedTransaction & {
  /** Begins it, and waits until it has what the scope needs. */
  begin(scope: RowScope): Promise<void>;
  /** True where it went on to another scope than the first one. */
  hasChangedScope(): boolean;
};

/** Statements of one scope may run side by side; another scope begins when they have ended. */
export function openTransaction(
  { session }: PooledConnection,
  limits: TransactionLimits,
): OpenTransaction {
  let current: RowScope | null = null;
  let entered: Promise<unknown> = Promise.resolve();
  let running = 0;
  let moved = false;
  const enter = (scope: RowScope) => {
    if (scope === current || (scope === 'free' && current !== null)) return;
    if (running > 0) throw new Error('a transaction works in one scope at a time');
    // Who changes both begins with what is everybody's: then nobody waits for each other.
    const locks = scope !== 'tenants' || current === null;
    const begin = current === null ? [{ text: 'begin', name: 'mneme_begin' }] : [];
    moved ||= current !== null;
    current = scope;
    const statements = [...begin, ...enterScopeStatements(scope, { ...limits, locks })];
    entered = Promise.all(statements.map(session.query));
    entered.catch(() => {}); // the statements that follow fail too
  };
  const within: ScopedTransaction['within'] = async (scope, run) => {
    enter(scope);
    const began = entered;
    running += 1;
    try {
      return await run(session);
    } catch (error) {
      await began; // its failure is the first one
      await session.drain(); // or that of what was sent before
      throw error;
    } finally {
      running -= 1;
    }
  };
  return {
    within,
    begin: async (scope) => {
      session.resetFailures();
      enter(scope);
      await entered;
    },
    hasChangedScope: () => moved,
  };
}

export async function commitTransaction({ client, session }: PooledConnection): Promise<void> {
  try {
    const { command } = await session.query({ text: 'commit' });
    // What failed before, and nobody heard of, makes it a rollback, which is no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    client.release(session.isStale());
  } catch (error) {
    client.release(toError(error));
    throw error;
  }
}

/** A connection that can't be used any more goes. */
export async function rollbackTransaction({ client, session }: PooledConnection): Promise<void> {
  try {
    await session.query({ text: 'rollback' });
    client.release(session.isStale());
  } catch (error) {
    client.release(toError(error));
  }
}

function toError(error: unknown): Error | true {
  return error instanceof Error ? error : true;
}
