import type { PoolClient } from 'pg';
import type { DbSession } from '../../sql/dialect.ts';
import { enterScopeStatements, type RowScope, type TransactionLimits } from './row-security.ts';
import type { PostgresSession } from './session.ts';

export type ScopedTransaction = {
  /** Runs statements in a scope; the first call begins the transaction. */
  within<T>(scope: RowScope, run: (session: DbSession) => Promise<T>): Promise<T>;
};

/** A lent connection and its session. */
export type PooledConnection = { client: PoolClient; session: PostgresSession };

export type ConnectionSource = {
  checkOut(): Promise<PooledConnection>;
  limits: TransactionLimits;
};

/** A transaction on a connection of its own. */
export type OpenTransaction = ScopedTransaction & {
  /** Begins it, and waits until the scope is entered. */
  begin(scope: RowScope): Promise<void>;
  /** True if it switched to another scope than the first one. */
  hasChangedScope(): boolean;
};

/** Statements of one scope may run concurrently; another scope begins after they have ended. */
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
    // Transactions that change both begin with the shared scope, so that they cannot deadlock.
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
      await began; // its failure comes first
      await session.drain(); // then that of earlier statements
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
    // After an unreported failure this is a rollback, which is not an error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    client.release(session.isStale());
  } catch (error) {
    client.release(toError(error));
    throw error;
  }
}

/** Destroys a connection that is no longer usable. */
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
