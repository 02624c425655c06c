import {
  type CompiledQuery,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import pg, { type ClientBase } from 'pg';
import type { Session } from './dialect.ts';
import { isOutdated, isStale } from './postgres-errors.ts';
import { type Answer, createPipe, type Pipe, type Statement } from './postgres-pipe.ts';
import { named } from './postgres-scope.ts';
import { overOneConnection } from './session.ts';

/** Whether the statements that come again have names, under which connections keep their plans. */
export type Naming = { isOn: boolean };

export type PostgresSession = Session &
  Pick<Pipe, 'ask'> & {
    /** Ends when all that was sent has; throws what went wrong with it since `begin`. */
    settled(): Promise<void>;
    /** What went wrong since `begin`, also where who asked took no offence; else null. */
    failure(): unknown;
    /** Forgets what went wrong before. */
    begin(): void;
    /** True when the connection keeps statements that it can't carry out any more. */
    isStale(): boolean;
  };

type SessionOptions = { naming?: Naming; answerMaxMs?: number };

/** Kysely over one connection. */
export function createSession(
  client: ClientBase,
  { naming = { isOn: false }, answerMaxMs = 0 }: SessionOptions = {},
): PostgresSession {
  const pipe = createPipe(client, { types, answerMaxMs });
  let stale = false;
  let failure: unknown = null;
  const forward: Pipe['ask'] = ({ name, ...statement }) =>
    pipe.ask(naming.isOn ? { ...statement, name } : statement);
  const planning = createPlanning(forward);
  const ask: Pipe['ask'] = async (statement) => {
    planning.note(statement.text);
    try {
      const answer = await forward(statement);
      if (undoing.test(statement.text)) failure = null;
      return answer;
    } catch (error) {
      stale ||= isStale(error);
      // Of a plan that this connection asked for before, another one asks for anew; else a pooler
      // that follows names would give it the same again.
      const isOwn = isOutdated(error) && pipe.hasAnswered(statement.name);
      if (isStale(error) && !isOwn) naming.isOn = false;
      failure ??= error;
      throw error;
    }
  };
  const askFor = ({ sql: text, parameters: values }: CompiledQuery, name?: string) => {
    planning.prepare(naming.isOn && name !== undefined);
    return ask({ text, values, name });
  };
  const { send, settled, forget } = createSending();
  return {
    ask,
    db: databaseOver(askFor),
    run: async <R>(statement: CompiledQuery<R>, name?: string) => {
      const { rows } = await askFor(statement, name);
      return rows as R[]; // as the statement has them
    },
    send: async (statement, name) => send(askFor(statement, name)),
    settled,
    failure: () => failure,
    begin: () => {
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
function createPlanning(send: Pipe['ask']) {
  /** How it is in this transaction; null where that is not known. */
  let isKept: boolean | null = false;
  let keptMs = keptMinMs;
  let renewed = performance.now();
  const ask = (statement: Statement) => send(statement).catch(() => {}); // what follows fails too
  return {
    /** Of what is asked now. */
    note: (text: string) => {
      if (beginning.test(text)) isKept = false; // as a server has it
      if (undoing.test(text)) isKept = null;
    },
    prepare: (keep: boolean) => {
      if (keep === isKept) return;
      isKept = keep;
      ask(keep ? keepPlans : planAnew);
      if (!keep || performance.now() - renewed < keptMs) return;
      keptMs = Math.min(2 * keptMs, keptMaxMs);
      renewed = performance.now();
      ask(dropPlans);
    },
  };
}

/**
 * What is best for a hundred memories would read all of a million that came since: a server looks
 * at that once it has counted them, which can take minutes. A store grows most when it is new, and
 * to make all plans anew costs a request some milliseconds: each time they are kept for twice as
 * long. (A pooler has other connections than this process has: there it is less exact.)
 */
const keptMinMs = 10_000;
const keptMaxMs = 600_000;

const beginning = /^begin\b/;

const keepPlans = named('set local plan_cache_mode = force_generic_plan');
const planAnew = named('set local plan_cache_mode = auto');
const dropPlans = named('discard plans');

/** What is on its way, and nobody waits for. */
function createSending() {
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
const undoing = /^rollback to /;

function databaseOver(ask: (statement: CompiledQuery) => Promise<Answer>) {
  const execute = async <R>(statement: CompiledQuery): Promise<QueryResult<R>> => {
    const { command, count, rows } = await ask(statement);
    const typed = rows as R[]; // as the statement has them
    return changing.has(command)
      ? { rows: typed, numAffectedRows: BigInt(count) }
      : { rows: typed };
  };
  return overOneConnection(execute, {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
  });
}

const changing = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** Numbers beyond 2^53 are not to be expected: positions are counted from 1. */
const numbers = new Set<number>([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
  pg.types.builtins.FLOAT4,
]);
const toNumber = (text: string) => Number(text);
export const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    numbers.has(type) ? toNumber : pg.types.getTypeParser(type, format as 'text'),
};
