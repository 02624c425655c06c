import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readiness, Store, Tables } from '../core/ports/index.ts';
import { createCarrying } from './carried.ts';
import type { Session } from './dialects/dialect.ts';
import {
  dialect,
  findSnapshot,
  noBackup,
  type OpenedPostgres,
  openPostgres,
} from './dialects/postgres.ts';
import type { PostgresOptions } from './dialects/postgres-pool.ts';
import type { Scope } from './dialects/postgres-scope.ts';
import { type Kept, scopes } from './postgres-scopes.ts';
import { createSteps } from './steps.ts';
import { findAnswer } from './tables/answers.ts';
import type { At } from './tables/at.ts';
import { getSecret } from './tables/meta.ts';
import { addProject, toRef } from './tables/project-ensure.ts';
import { findProject } from './tables/projects.ts';
import { createTables } from './tables.ts';

/** Opens a store on PostgreSQL, which any number of processes may use at the same time. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  return createStore(await openPostgres(options));
}

/** Runs what belongs into a scope on tables that see no more than it. */
type Within = <T>(scope: Scope, run: (at: At, tables: Tables) => Promise<T>) => Promise<T>;

function createStore({ postgres, signal, hasVectors, close }: OpenedPostgres): Store {
  const tablesOf = perSession();
  const reading: Within = (scope, run) =>
    postgres.read(scope, (session) => run(...tablesOf(session)));
  const tables = scopedTables(reading);
  const transaction = createTransaction({ postgres, signal }, tablesOf);
  const read = <T>(look: (at: At) => Promise<T>) => reading('queue', look);
  const steps = createSteps(tables, { read, transaction: transaction.run });
  const { carryOut, carrying } = createCarrying(async ({ reserved }) => {
    // Waits for a commit that is still under way.
    if (await steps.idempotencyKeys.release(reserved)) return false;
    const found = await read((at) => findAnswer(at, reserved.id));
    return found !== null && found.status !== null;
  });
  let closed: Promise<void> | null = null;
  return {
    ...tables,
    ...steps,
    transaction: (run) => carrying(transaction.run, run),
    runIdempotent: carryOut,
    version: createVersion(postgres),
    ping: () => readinessOf(read),
    ensureProject: async ({ org_id, project_id }, now) => {
      const found = await reading('tenants', (at) => findProject(at, { org_id, project_id }));
      if (found !== null) return toRef(found);
      return transaction.within('tenants', (at) => addProject(at, { org_id, project_id, now }));
    },
    supportsVectors: hasVectors,
    onWork: signal.listen,
    backup: async () => {
      throw noBackup();
    },
    secret: () => read(getSecret),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Tables are made once for each connection. */
function perSession(): (session: Session) => [At, Tables] {
  const known = new WeakMap<Session, [At, Tables]>();
  return (session) => {
    const found = known.get(session);
    if (found !== undefined) return found;
    const at = { ...session, dialect };
    const made: [At, Tables] = [at, createTables(at)];
    known.set(session, made);
    return made;
  };
}

type Function = (...args: unknown[]) => Promise<unknown>;

type Rule = ((...args: never[]) => Scope) | Kept<unknown>;

/** Tables whose every function runs in the scope that is its own. */
function scopedTables(within: Within, called?: (name: string) => void): Tables {
  const scoped = (table: string, rules: Record<string, Rule>) =>
    Object.fromEntries(
      Object.entries(rules).map(([method, scopeOf]) => {
        if (typeof scopeOf !== 'function') return [method, () => scopeOf.answers];
        const run: Function = (...args) => {
          called?.(`${table}.${method}`);
          return within(scopeOf(...(args as never[])), (_, tables) => {
            // The names are those of the table: `Scopes` says so.
            const own = tables[table as keyof Tables] as unknown as Record<string, Function>;
            return (own[method] as Function)(...args);
          });
        };
        return [method, run];
      }),
    );
  return Object.fromEntries(
    Object.entries(scopes).map(([table, rules]) => [table, scoped(table, rules)]),
  ) as unknown as Tables; // one for each name
}

/** After these there may be work for other processes. */
const leaveWork = new Set(['jobs.enqueue', 'deliveries.insert', 'webhooks.update']);

/** Transactions of a store; one must not begin inside another, which would wait for it. */
function createTransaction(
  { postgres, signal }: Pick<OpenedPostgres, 'postgres' | 'signal'>,
  tablesOf: (session: Session) => [At, Tables],
) {
  const inside = new AsyncLocalStorage<{ isOver: boolean }>();

  const begin = async <T>(work: (within: Within) => Promise<T>): Promise<T> => {
    if (inside.getStore()?.isOver === false) {
      throw new Error('a transaction must not begin inside another: it would wait for itself');
    }
    const state = { isOver: false };
    try {
      return await inside.run(state, () =>
        postgres.write((transaction) =>
          work((scope, run) => transaction.within(scope, (session) => run(...tablesOf(session)))),
        ),
      );
    } finally {
      state.isOver = true;
    }
  };

  return {
    within: <T>(scope: Scope, run: (at: At) => Promise<T>) => begin((within) => within(scope, run)),
    run: async <T>(run: (tables: Tables) => Promise<T>): Promise<T> => {
      let leavesWork = false;
      const called = (name: string) => {
        leavesWork ||= leaveWork.has(name);
      };
      const result = await begin((within) => run(scopedTables(within, called)));
      if (leavesWork) signal.send();
      return result;
    },
  };
}

/** Every commit alters which transactions a new one sees. Asked often, and of no table. */
function createVersion({ asOwner }: OpenedPostgres['postgres']): () => Promise<number> {
  let last = '';
  let count = 0;
  return joined(async () => {
    const seen = await asOwner(findSnapshot);
    if (seen !== last) count += 1;
    last = seen;
    return count;
  });
}

/** All who ask while an answer is on its way get the next one, which tells what holds since. */
function joined<T>(ask: () => Promise<T>): () => Promise<T> {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = () => {
    next = null;
    const asked = ask().finally(() => {
      if (current === asked) current = null;
    });
    current = asked;
    return asked;
  };
  return () => {
    if (next !== null) return next;
    if (current === null) return start();
    next = current.then(start, start);
    return next;
  };
}

async function readinessOf(
  read: <T>(look: (at: At) => Promise<T>) => Promise<T>,
): Promise<Readiness> {
  try {
    await read(getSecret);
    return 'ready';
  } catch {
    return 'away';
  }
}
