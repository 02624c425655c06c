import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolClient } from 'pg';
import type { Logger } from '../../core/ports/index.ts';
import type { Session } from './dialect.ts';
import { readAddress } from './postgres-address.ts';
import { createSession, type Naming, type PostgresSession, types } from './postgres-connection.ts';
import {
  isConflict,
  isDisconnection,
  isStale,
  translateError,
  unavailable,
} from './postgres-errors.ts';
import { enterStatements, type Scope } from './postgres-scope.ts';
import { commit, type Lent, rollBack } from './postgres-transaction.ts';
import { createWrite, type Write } from './postgres-write.ts';

export type PostgresOptions = {
  url: string;
  /** Connections of this process. */
  pool_size: number;
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, and for a connection. */
  busy_timeout_ms: number;
  log: Logger;
};

/** The connections of this process, and the transactions on them. */
export type Postgres = {
  /** Runs in a scope, changes nothing; again where a connection breaks or others are in the way. */
  read<T>(scope: Scope, run: (session: Session) => Promise<T>): Promise<T>;
  /** All or nothing; again from the beginning where others are in the way. */
  write: Write;
  /** One statement as the user of the address, whom no policy of rows keeps from anything. */
  asOwner<T>(run: (client: PoolClient) => Promise<T>): Promise<T>;
  connect: () => pg.Client;
  shown: string;
  end(): Promise<void>;
};

export function createPostgres(options: PostgresOptions): Postgres {
  const { connectionString, ssl, shown } = readAddress(options.url);
  const { pool_size: max, busy_timeout_ms, log } = options;
  const config = { connectionString, ssl, types, application_name: 'mneme', keepAlive: true };
  const connectionTimeoutMillis = Math.max(busy_timeout_ms, connectMinMs);
  const pool = new pg.Pool({ ...config, max, connectionTimeoutMillis });
  // An idle connection that breaks is replaced with the next use; of one that is lent, whoever has
  // it hears with the next statement: without a listener, its error would end the process.
  pool.on('error', (error) => log('warn', 'a connection broke', { error: error.message }));
  pool.on('connect', (client) => client.on('error', () => {}));
  const naming: Naming = { isOn: true };
  const parts: Parts = { pool, naming, sessions: new WeakMap(), left: new Map(), options };
  const write = createWrite({ lend: () => lend(parts), limits: options });
  const work = createWork(shown);
  return {
    read: (scope, run) => work.run(() => patiently(mayPass, () => read(parts, scope, run))),
    write: (run) => work.run(() => patiently(mayPassAgain, () => write(run))),
    asOwner: (run) => work.run(() => patiently(isDisconnection, () => onClient(parts, run))),
    connect: () => new pg.Client({ ...config, connectionTimeoutMillis }),
    shown,
    end: async () => {
      await work.end();
      await pool.end();
    },
  };
}

/** What is under way ends before the connections do; what comes later is refused. */
function createWork(shown: string) {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    run: async <T>(start: () => Promise<T>): Promise<T> => {
      if (isClosed) {
        throw unavailable(shown, 'was closed; the server is stopping');
      }
      const work = start();
      running.add(work);
      try {
        return await work;
      } catch (error) {
        throw translateError(error, shown);
      } finally {
        running.delete(work);
      }
    },
    end: async () => {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}

const connectMinMs = 1_000;

/** A deadlock: with a migration, whose tables a read takes in another order. */
const mayPass = (error: unknown) => isDisconnection(error) || mayPassAgain(error);
const mayPassAgain = (error: unknown) => isConflict(error) || isStale(error);

type Parts = {
  pool: pg.Pool;
  naming: Naming;
  sessions: WeakMap<PoolClient, PostgresSession>;
  /** Transactions that the next read of the same scope may go on with. */
  left: Map<Scope, Reading[]>;
  options: PostgresOptions;
};

async function onClient<T>({ pool }: Parts, run: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    return await run(client);
  } finally {
    client.release();
  }
}

/** A transaction that only reads, and until when others may go on with it. */
type Reading = Lent & { began: Promise<unknown>; until: number };

async function read<T>(
  parts: Parts,
  scope: Scope,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const reading = takeLeft(parts, scope) ?? (await beginReading(parts, scope));
  const { session, began } = reading;
  try {
    const result = await run(session);
    await session.settled(); // nothing is sent but what changes something, which is refused
    leave(parts, scope, reading);
    return result;
  } catch (error) {
    await rollBack(reading);
    await began;
    throw isWrite(error) ? new Error('writes belong in store.transaction') : error;
  }
}

/** What is sent first waits for no answer: whoever asks next hears of a failure. */
async function beginReading(parts: Parts, scope: Scope): Promise<Reading> {
  const lent = await lend(parts);
  lent.session.begin();
  // Whatever the database has as its default: who goes on with it sees what was written meanwhile.
  const begin = { text: 'begin isolation level read committed read only', name: 'mneme_read' };
  const statements = [begin, ...enterStatements(scope, { ...parts.options, locks: false })];
  const began = Promise.all(statements.map(lent.session.ask));
  began.catch(() => {});
  return { ...lent, began, until: performance.now() + keptMaxMs };
}

/**
 * A search is many reads of a project, one after the other, and so is finding out who may do what:
 * a transaction for each would cost as much as the reads do. Statements see what others have
 * committed by then in either case. Not for longer than this, because a change of the tables waits
 * for all transactions that read them.
 */
const keptMaxMs = 100;

function takeLeft({ left }: Parts, scope: Scope): Reading | undefined {
  const readings = left.get(scope);
  const reading = readings?.pop();
  if (readings?.length === 0) left.delete(scope);
  return reading;
}

/** To who goes on in this turn of the event loop; nobody else waits for the connection. */
function leave(parts: Parts, scope: Scope, reading: Reading): void {
  const { left } = parts;
  if (performance.now() > reading.until) {
    end(reading);
    return;
  }
  const readings = left.get(scope) ?? [];
  left.set(scope, readings);
  readings.push(reading);
  setImmediate(() => {
    const at = readings.indexOf(reading);
    if (at === -1) return;
    readings.splice(at, 1);
    if (readings.length === 0) left.delete(scope);
    end(reading);
  });
}

function end(reading: Reading): void {
  commit(reading).catch(() => {}); // it has changed nothing
}

/** A transaction that only reads refuses them, whoever is the primary server. */
function isWrite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

async function lend(parts: Parts): Promise<Lent> {
  const client = await parts.pool.connect();
  return { client, session: sessionOf(parts, client) };
}

/** One for each connection: statements that were built for it are kept with it. */
function sessionOf({ sessions, naming, options }: Parts, client: PoolClient): PostgresSession {
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const session = createSession(client, {
    naming,
    answerMaxMs: options.statement_timeout_ms,
  });
  sessions.set(client, session);
  return session;
}

const attemptsMax = 6;
const pauseMs = 20;

async function patiently<T>(
  mayPass: (error: unknown) => boolean,
  run: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === attemptsMax || !mayPass(error)) throw error;
      // Uneven pauses, so that two that met do not meet again.
      await sleep(pauseMs * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
