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

/** Whether the statements that come again have names, under which connections keep their plans. */
export type StatementNaming = { isOn: boolean };

export type PostgresSession = DbSession &
  Pick<Pipeline, 'query'> & {
    /** Ends when all that was sent has; throws what went wrong with it since `begin`. */
    drain(): Promise<void>;
    /** What went wrong since `begin`, also where who asked took no offence; else null. */
    failure(): unknown;
    /** Forgets what went wrong before. */
    resetFailures(): void;
    /** True when the connection keeps statements that it can't carry out any more. */
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
      // An outdated plan that this connection prepared itself is prepared again on another one. Any
      // other came from a pooler that follows names, which would hand out the same plan again.
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
  const { send, settled, forget } = createSends();
  return {
    query,
    db: createDatabase(askFor),
    run: async <R>(statement: CompiledQuery<R>, name?: string) => {
      const { rows } = await askFor(statement, name);
      return rows as R[]; // as the statement has them
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
 * Statements that come again keep one plan for all values. Left to itself, the server would make a
 * plan each time: that for all values names every partition, and looks dearer than it is.
 * Statements that are built for one request have a plan for their values.
 */
function createPlanCacheMode(send: Pipeline['query']) {
  /** How it is in this transaction; null where that is not known. */
  let isKept: boolean | null = false;
  let keptMs = planAgeMinMs;
  let renewed = performance.now();
  // Where it fails, so does what follows.
  const ask = (statement: PipelineStatement) => send(statement).catch(() => {});
  return {
    /** Of what is asked now. */
    note: (text: string) => {
      if (beginsTransaction.test(text)) isKept = false; // as a server has it
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
 * What is best for a hundred memories would read all of a million that came since: a server looks
 * at that once it has counted them, which can take minutes. A store grows most when it is new, and
 * to make all plans anew costs a request some milliseconds: each time they are kept for twice as
 * long. (A pooler has other connections than this process has: there it is less exact.)
 */
const planAgeMinMs = 10_000;
const planAgeMaxMs = 600_000;

const beginsTransaction = /^begin\b/;

const genericPlan = namedStatement('set local plan_cache_mode = force_generic_plan');
const customPlan = namedStatement('set local plan_cache_mode = auto');
const discardPlans = namedStatement('discard plans');

/** What is on its way, and nobody waits for. */
function createSends() {
  const sent = new Set<Promise<unknown>>();
  let problem: unknown = null;
  return {
    send: (asked: Promise<unknown>) => {
      const ended: Promise<unknown> = asked
        .catch((error: unknown) => {
          problem ??= error; // of which whoever ends the transaction hears
        })
        .finally(() => sent.delete(ended));
      sent.add(ended);
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

/** After it a transaction goes on as if what failed had not been asked. */
const rollsBackToSavepoint = /^rollback to /;

function createDatabase(ask: (statement: CompiledQuery) => Promise<StatementResult>) {
  const execute = async <R>(statement: CompiledQuery): Promise<QueryResult<R>> => {
    const { command, count, rows } = await ask(statement);
    const typed = rows as R[]; // as the statement has them
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

/** Numbers beyond 2^53 are not to be expected: positions are counted from 1. */
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
