import type { PoolClient } from 'pg';
import type { Session } from './dialect.ts';
import type { PostgresSession } from './postgres-connection.ts';
import { enterStatements, type Limits, type Scope } from './postgres-scope.ts';

export type Transaction = {
  /** Runs what belongs into a scope; the first one begins the transaction. */
  within<T>(scope: Scope, run: (session: Session) => Promise<T>): Promise<T>;
};

/** A connection that is lent, and what was made for it. */
export type Lent = { client: PoolClient; session: PostgresSession };

export type Connections = {
  lend(): Promise<Lent>;
  limits: Limits;
};

/** A transaction on a connection that is its own. */
export type Opened = Transaction & {
  /** Begins it, and waits until it has what the scope needs. */
  begin(scope: Scope): Promise<void>;
  /** True where it went on to another scope than the first one. */
  hasMoved(): boolean;
};

/** Statements of one scope may run side by side; another scope begins when they have ended. */
export function openTransaction({ session }: Lent, limits: Limits): Opened {
  let current: Scope | null = null;
  let entered: Promise<unknown> = Promise.resolve();
  let running = 0;
  let moved = false;
  const enter = (scope: Scope) => {
    if (scope === current || (scope === 'free' && current !== null)) return;
    if (running > 0) throw new Error('a transaction works in one scope at a time');
    // Who changes both begins with what is everybody's: then nobody waits for each other.
    const locks = scope !== 'tenants' || current === null;
    const begin = current === null ? [{ text: 'begin', name: 'mneme_begin' }] : [];
    moved ||= current !== null;
    current = scope;
    const statements = [...begin, ...enterStatements(scope, { ...limits, locks })];
    entered = Promise.all(statements.map(session.ask));
    entered.catch(() => {}); // the statements that follow fail too
  };
  const within: Transaction['within'] = async (scope, run) => {
    enter(scope);
    const began = entered;
    running += 1;
    try {
      return await run(session);
    } catch (error) {
      await began; // its failure is the first one
      await session.settled(); // or that of what was sent before
      throw error;
    } finally {
      running -= 1;
    }
  };
  return {
    within,
    begin: async (scope) => {
      session.begin();
      enter(scope);
      await entered;
    },
    hasMoved: () => moved,
  };
}

export async function commit({ client, session }: Lent): Promise<void> {
  try {
    const { command } = await session.ask({ text: 'commit' });
    // What failed before, and nobody heard of, makes it a rollback, which is no error.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
    client.release(session.isStale());
  } catch (error) {
    client.release(toError(error));
    throw error;
  }
}

/** A connection that can't be used any more goes. */
export async function rollBack({ client, session }: Lent): Promise<void> {
  try {
    await session.ask({ text: 'rollback' });
    client.release(session.isStale());
  } catch (error) {
    client.release(toError(error));
  }
}

function toError(error: unknown): Error | true {
  return error instanceof Error ? error : true;
}
