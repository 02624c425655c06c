import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readiness, Store, Tables } from '../../core/ports/index.ts';
import type { DbContext, InlineEmbedding } from '../sql/db-context.ts';
import type { DbSession } from '../sql/dialect.ts';
import { createTables } from '../tables/create-tables.ts';
import { getSecret } from '../tables/system/meta.ts';
import { findOrCreateProject, toProjectRef } from '../tables/tenants/ensure-project.ts';
import { findProject } from '../tables/tenants/projects.ts';
import { findIdempotencyRecord } from '../tables/work/idempotency-keys.ts';
import { createAutocommit } from '../transactions/autocommit.ts';
import { createIdempotentCommit } from '../transactions/idempotent-commit.ts';
import type { RowScope } from './connection/row-security.ts';
import {
  backupUnsupported,
  type OpenedPostgres,
  type OpenPostgresOptions,
  openPostgres,
  postgresDialect,
  readSnapshotId,
} from './open.ts';
import { type ConstantAnswer, tableScopes } from './table-scopes.ts';

/** Opens a store on PostgreSQL, which any number of processes may use at the same time. */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<Store> {
  return createPostgresStore(await openPostgres(options));
}

/** Runs a function in a scope, on tables that see nothing else. */
type RunInScope = <T>(
  scope: RowScope,
  run: (at: DbContext, tables: Tables) => Promise<T>,
) => Promise<T>;

function createPostgresStore({ pool, notifier, hasVectors, close }: OpenedPostgres): Store {
  const inline: InlineEmbedding = { embedder: null };
  const tablesOf = createSessionTables(inline);
  const reading: RunInScope = (scope, run) =>
    pool.read(scope, (session) => run(...tablesOf(session)));
  const tables = scopedTables(reading);
  const transaction = createTransaction({ pool, notifier }, tablesOf);
  const read = <T>(look: (at: DbContext) => Promise<T>) => reading('queue', look);
  const steps = createAutocommit(tables, { read, transaction: transaction.run });
  const { carryOut, carrying } = createIdempotentCommit(async ({ reserved }) => {
    // Waits for a commit in progress.
    if (await steps.idempotencyKeys.release(reserved)) return false;
    const found = await read((at) => findIdempotencyRecord(at, reserved.id));
    return found !== null && found.status !== null;
  });
  let closed: Promise<void> | null = null;
  return {
    ...tables,
    ...steps,
    transaction: (run) => carrying(transaction.run, run),
    runIdempotent: carryOut,
    version: createVersion(pool),
    ping: () => readReadiness(read),
    ensureProject: async ({ org_id, project_id }, now) => {
      const found = await reading('tenants', (at) => findProject(at, { org_id, project_id }));
      if (found !== null) return toProjectRef(found);
      return transaction.within('tenants', (at) =>
        findOrCreateProject(at, { org_id, project_id, now }),
      );
    },
    supportsVectors: hasVectors,
    embedInline: (embedder) => {
      inline.embedder = embedder;
    },
    onWork: notifier.listen,
    backup: async () => {
      throw backupUnsupported();
    },
    secret: () => read(getSecret),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Creates tables once per connection. */
function createSessionTables(inline: InlineEmbedding): (session: DbSession) => [DbContext, Tables] {
  const known = new WeakMap<DbSession, [DbContext, Tables]>();
  return (session) => {
    const found = known.get(session);
    if (found !== undefined) return found;
    const at = { ...session, dialect: postgresDialect, inline };
    const made: [DbContext, Tables] = [at, createTables(at)];
    known.set(session, made);
    return made;
  };
}

type TableMethod = (...args: unknown[]) => Promise<unknown>;

type ScopeRule = ((...args: never[]) => RowScope) | ConstantAnswer<unknown>;

/** Tables of which each function runs in its own scope. */
function scopedTables(within: RunInScope, called?: (name: string) => void): Tables {
  const scoped = (table: string, rules: Record<string, ScopeRule>) =>
    Object.fromEntries(
      Object.entries(rules).map(([method, scopeOf]) => {
        if (typeof scopeOf !== 'function') return [method, () => scopeOf.constant];
        const run: TableMethod = (...args) => {
          called?.(`${table}.${method}`);
          return within(scopeOf(...(args as never[])), (_, tables) => {
            // The type `TableScopes` guarantees that these are the names of the table.
            const own = tables[table as keyof Tables] as unknown as Record<string, TableMethod>;
            return (own[method] as TableMethod)(...args);
          });
        };
        return [method, run];
      }),
    );
  return Object.fromEntries(
    Object.entries(tableScopes).map(([table, rules]) => [table, scoped(table, rules)]),
  ) as unknown as Tables; // one entry for each name
}

/** After these, there may be work for other processes. */
const workQueueMethods = new Set(['jobs.enqueue', 'deliveries.insert', 'webhooks.update']);

/** Transactions of a store. They must not be nested: the inner one would wait for the outer. */
function createTransaction(
  { pool, notifier }: Pick<OpenedPostgres, 'pool' | 'notifier'>,
  tablesOf: (session: DbSession) => [DbContext, Tables],
) {
  const inside = new AsyncLocalStorage<{ isOver: boolean }>();

  const begin = async <T>(work: (within: RunInScope) => Promise<T>): Promise<T> => {
    if (inside.getStore()?.isOver === false) {
      throw new Error('a transaction must not begin inside another: it would wait for itself');
    }
    const state = { isOver: false };
    try {
      return await inside.run(state, () =>
        pool.write((transaction) =>
          work((scope, run) => transaction.within(scope, (session) => run(...tablesOf(session)))),
        ),
      );
    } finally {
      state.isOver = true;
    }
  };

  return {
    within: <T>(scope: RowScope, run: (at: DbContext) => Promise<T>) =>
      begin((within) => within(scope, run)),
    run: async <T>(run: (tables: Tables) => Promise<T>): Promise<T> => {
      let leavesWork = false;
      const called = (name: string) => {
        leavesWork ||= workQueueMethods.has(name);
      };
      const result = await begin((within) => run(scopedTables(within, called)));
      if (leavesWork) notifier.notify();
      return result;
    },
  };
}

/** Changes with every commit. Called often, and reads no table. */
function createVersion({ asOwner }: OpenedPostgres['pool']): () => Promise<number> {
  let last = '';
  let count = 0;
  return coalesceCalls(async () => {
    const seen = await asOwner(readSnapshotId);
    if (seen !== last) count += 1;
    last = seen;
    return count;
  });
}

/** Calls made while one is running share the next one, which sees the current state. */
function coalesceCalls<T>(ask: () => Promise<T>): () => Promise<T> {
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

async function readReadiness(
  read: <T>(look: (at: DbContext) => Promise<T>) => Promise<T>,
): Promise<Readiness> {
  try {
    await read(getSecret);
    return 'ready';
  } catch {
    return 'away';
  }
}
