import { AsyncLocalStorage } from 'node:async_hooks';
import type { ProjectRef, Readiness, Store } from '../../core/ports/index.ts';
import type { DbContext, InlineEmbedding } from '../sql/db-context.ts';
import type { DbSession } from '../sql/dialect.ts';
import type { StatementCall, StatementScope } from '../sql/statement.ts';
import { bindTables } from '../tables/create-tables.ts';
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

/** Opens a store on PostgreSQL, which any number of processes may use at the same time. */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<Store> {
  return createPostgresStore(await openPostgres(options));
}

/** Runs a function in a scope, where it sees nothing else. */
type RunInScope = <T>(scope: RowScope, run: (at: DbContext) => Promise<T>) => Promise<T>;

function createPostgresStore({ pool, notifier, hasVectors, close }: OpenedPostgres): Store {
  const inline: InlineEmbedding = { embedder: null };
  const contextOf = createContexts(inline);
  const reading: RunInScope = (scope, run) =>
    pool.read(scope, (session) => run(contextOf(session)));
  const transaction = createTransaction({ pool, notifier }, contextOf);
  const read = <T>(look: (at: DbContext) => Promise<T>) => reading('queue', look);
  const call = callInScopes(reading);
  const tables = bindTables(createAutocommit({ call, read, transaction: transaction.run }));
  const { carryOut, carrying } = createIdempotentCommit(async ({ reserved }) => {
    // Waits for a commit in progress.
    if (await tables.idempotencyKeys.release(reserved)) return false;
    const answer = await read((at) => findIdempotencyRecord(at, reserved.id));
    return answer !== null && answer.status !== null;
  });
  let closed: Promise<void> | null = null;
  return {
    ...tables,
    transaction: (run) =>
      carrying((work) => transaction.run((within) => work(bindTables(within))), run),
    runIdempotent: carryOut,
    version: createVersion(pool),
    ping: () => readReadiness(read),
    ensureProject: async ({ org_id, project_id }, now) => {
      const project = await reading('tenants', (at) => findProject(at, { org_id, project_id }));
      if (project !== null) return toProjectRef(project);
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

/** One context per connection. */
function createContexts(inline: InlineEmbedding): (session: DbSession) => DbContext {
  const contexts = new WeakMap<DbSession, DbContext>();
  return (session) => {
    const at = contexts.get(session) ?? { ...session, dialect: postgresDialect, inline };
    contexts.set(session, at);
    return at;
  };
}

/** The rows that a statement sees, given its arguments, as {@link StatementScope} says. */
const rowScopes: Record<StatementScope, (...args: never[]) => RowScope> = {
  project: ({ key }: Pick<ProjectRef, 'key'>) => key,
  job: ({ project }: { project: Pick<ProjectRef, 'key'> }) => project.key,
  queue: () => 'queue',
  tenants: () => 'tenants',
  free: () => 'free',
};

/** Runs each statement in its own scope. */
function callInScopes(within: RunInScope): StatementCall {
  return ({ scope, run }, args) => {
    if (typeof scope === 'object') return scope.constant;
    return within(rowScopes[scope](...args), async (at) => run(at, ...args));
  };
}

/** Transactions of a store. They must not be nested: the inner one would wait for the outer. */
function createTransaction(
  { pool, notifier }: Pick<OpenedPostgres, 'pool' | 'notifier'>,
  contextOf: (session: DbSession) => DbContext,
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
          work((scope, run) => transaction.within(scope, (session) => run(contextOf(session)))),
        ),
      );
    } finally {
      state.isOver = true;
    }
  };

  return {
    within: <T>(scope: RowScope, run: (at: DbContext) => Promise<T>) =>
      begin((within) => within(scope, run)),
    run: async <T>(run: (call: StatementCall) => Promise<T>): Promise<T> => {
      let leavesWork = false;
      const result = await begin((within) => {
        const call = callInScopes(within);
        return run((statement, args) => {
          leavesWork ||= statement.queuesWork === true;
          return call(statement, args);
        });
      });
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
    const answer = ask().finally(() => {
      if (current === answer) current = null;
    });
    current = answer;
    return answer;
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
