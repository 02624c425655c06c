import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg, { type ClientBase } from 'pg';
import type { DbSession } from '../../sql/dialect.ts';
import { kyselyOverConnection } from '../../sql/single-connection.ts';
import { isPlanOutdated, isStatementStale } from './errors.ts';
import {
  createPipeline,
  type Pipeline,
  type PipelineStatement,
  type StatementResult,
} from './pipeline.ts';
import { namedStatement } from './row-security.ts';

/** Whether repeated statements are named, so that connections keep their plans. */
export type StatementNaming = { isOn: boolean };

export type PostgresSession = DbSession &
  Pick<Pipeline, 'query'> & {
    /** Resolves when all sent statements have ended; throws their first failure since `begin`. */
    drain(): Promise<void>;
    /** The first failure since `begin`, even if its caller ignored it; otherwise null. */
    failure(): unknown;
    /** Forgets earlier failures. */
    resetFailures(): void;
    /** True if the connection has prepared statements that no longer work. */
    isStale(): boolean;
  };

type PostgresSessionOptions = { naming?: StatementNaming; responseTimeoutMs?: number };

/** Kysely over one connection. */
export function createPostgresSession(
  client: ClientBase,
  { naming = { isOn: false }, responseTimeoutMs = 0 }: PostgresSessionOptions = {},
): PostgresSession {
  const pipe = createPipeline(client, { types: typeParsers, responseTimeoutMs });
  let stale = false;
  let failure: unknown = null;
  const forward: Pipeline['query'] = ({ name, ...statement }) =>
    pipe.query(naming.isOn ? { ...statement, name } : statement);
  const planning = createPlanCacheMode(forward);
  const query: Pipeline['query'] = async (statement) => {
    planning.note(statement.text);
    try {
      const answer = await forward(statement);
      if (rollsBackToSavepoint.test(statement.text)) failure = null;
      return answer;
    } catch (error) {
      stale ||= isStatementStale(error);
      // A plan that this connection prepared itself is prepared again on another one. Any other
      // plan came from a pooler that tracks names and would return it again.
      const isOwn = isPlanOutdated(error) && pipe.hasPrepared(statement.name);
      if (isStatementStale(error) && !isOwn) naming.isOn = false;
      failure ??= error;
      throw error;
    }
  };
  const askFor = ({ sql: text, parameters: values }: CompiledQuery, name?: string) => {
    planning.prepare(naming.isOn && name !== undefined);
    return query({ text, values, name });
  };
  const { send, settled, forget } = createSends(pipe.rest);
  return {
    query,
    db: createDatabase(askFor),
    run: async <R>(statement: CompiledQuery<R>, name?: string) => {
      const { rows } = await askFor(statement, name);
      return rows as R[]; // the statement defines the row type
    },
    send: async (statement, name) => send(askFor(statement, name)),
    drain: settled,
    failure: () => failure,
    resetFailures: () => {
      failure = null;
      forget();
    },
    isStale: () => stale,
  };
}

/**
 * Repeated statements keep one plan for all values. By default the server would plan them each
 * time: a plan for all values names every partition and looks more expensive than it is. Statements
 * built for one request are planned for their values.
 */
function createPlanCacheMode(send: Pipeline['query']) {
  /** The mode in this transaction; null if unknown. */
  let isKept: boolean | null = false;
  let keptMs = planAgeMinMs;
  let renewed = performance.now();
  // If this fails, so does what follows.
  const ask = (statement: PipelineStatement) => send(statement).catch(() => {});
  return {
    /** Called with each statement that is sent. */
    note: (text: string) => {
      if (beginsTransaction.test(text)) isKept = false; // the default of a transaction
      if (rollsBackToSavepoint.test(text)) isKept = null;
    },
    prepare: (keep: boolean) => {
      if (keep === isKept) return;
      isKept = keep;
      ask(keep ? genericPlan : customPlan);
      if (!keep || performance.now() - renewed < keptMs) return;
      keptMs = Math.min(2 * keptMs, planAgeMaxMs);
      renewed = performance.now();
      ask(discardPlans);
    },
  };
}

/**
 * The best plan for a hundred memories would read all of a million that were added since: the
 * server notices once it has analyzed the table, which can take minutes. A store grows fastest when
 * it is new, and planning again costs a request some milliseconds: plans are kept twice as long
 * each time. (Less exact behind a pooler, which has other connections than this process.)
 */
const planAgeMinMs = 10_000;
const planAgeMaxMs = 600_000;

const beginsTransaction = /^begin\b/;

const genericPlan = namedStatement('set local plan_cache_mode = force_generic_plan');
const customPlan = namedStatement('set local plan_cache_mode = auto');
const discardPlans = namedStatement('discard plans');

/** Statements that were sent and that nobody awaits. */
function createSends(rest: Pipeline['rest']) {
  const sent = new Set<Promise<unknown>>();
  let problem: unknown = null;
  return {
    send: (statement: Promise<unknown>): Promise<void> => {
      const ended: Promise<unknown> = statement
        .catch((error: unknown) => {
          problem ??= error; // reported when the transaction ends
        })
        .finally(() => sent.delete(ended));
      sent.add(ended);
      return rest();
    },
    settled: async () => {
      await Promise.all(sent);
      if (problem !== null) throw problem;
    },
    forget: () => {
      problem = null;
    },
  };
}

/** After it a transaction continues as if the failed statement had not been sent. */
const rollsBackToSavepoint = /^rollback to /;

function createDatabase(ask: (statement: CompiledQuery) => Promise<StatementResult>) {
  const execute = async <R>(statement: CompiledQuery): Promise<QueryResult<R>> => {
    const { command, count, rows } = await ask(statement);
    const typed = rows as R[]; // the statement defines the row type
    return writeCommands.has(command)
      ? { rows: typed, numAffectedRows: BigInt(count) }
      : { rows: typed };
  };
  return kyselyOverConnection(execute, {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  });
}

const writeCommands = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** No number exceeds 2^53: positions are counted from 1. */
const numericTypes = new Set<number>([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
  pg.types.builtins.FLOAT4,
]);
const toNumber = (text: string) => Number(text);
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    numericTypes.has(type) ? toNumber : pg.types.getTypeParser(type, format as 'text'),
};
