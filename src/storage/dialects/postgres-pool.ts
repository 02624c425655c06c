import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolClient } from 'pg';
import type { Log } from '../../core/ports.ts';
import type { Session } from './dialect.ts';
import { readAddress } from './postgres-address.ts';
import { createSession } from './postgres-connection.ts';
import { isConflict, isDisconnection, translateError, unavailable } from './postgres-errors.ts';
import { enterSql, type Scope } from './postgres-scope.ts';

export type PostgresOptions = {
  url: string;
  /** Connections of this process. */
  pool_size: number;
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, and for a connection. */
  busy_timeout_ms: number;
  log: Log;
};

/** The connections of this process, and the transactions on them. */
export type Postgres = {
  /** Runs in a scope, changes nothing; again where a connection breaks or others are in the way. */
  read<T>(scope: Scope, run: (session: Session) => Promise<T>): Promise<T>;
  /** All or nothing; again from the beginning where others are in the way. */
  write<T>(run: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** One statement as the user of the address, whom no policy of rows keeps from anything. */
  asOwner<T>(run: (client: PoolClient) => Promise<T>): Promise<T>;
  connect: () => pg.Client;
  shown: string;
  end(): Promise<void>;
};

export type Transaction = {
  /** Runs what belongs into a scope; the first one begins the transaction. */
  within<T>(scope: Scope, run: (session: Session) => Promise<T>): Promise<T>;
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
  const parts: Parts = { pool, sessions: new WeakMap(), left: new Map(), options };
  const work = createWork(shown);
  return {
    read: (scope, run) => work.run(() => patiently(mayPass, () => read(parts, scope, run))),
    write: (run) => work.run(() => patiently(isConflict, () => write(parts, run))),
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
const mayPass = (error: unknown) => isDisconnection(error) || isConflict(error);

type Parts = {
  pool: pg.Pool;
  sessions: WeakMap<PoolClient, Session>;
  /** Transactions of projects that the next read may go on with. */
  left: Map<number, Reading[]>;
  options: PostgresOptions;
};

/** Numbers beyond 2^53 are not to be expected: positions are counted from 1. */
const numbers = new Set<number>([
  pg.types.builtins.INT8,
  pg.types.builtins.NUMERIC,
  pg.types.builtins.FLOAT4,
]);
const toNumber = (text: string) => Number(text);
const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    numbers.has(type) ? toNumber : pg.types.getTypeParser(type, format as 'text'),
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
type Reading = { client: PoolClient; began: Promise<unknown>; until: number };

async function read<T>(
  parts: Parts,
  scope: Scope,
  run: (session: Session) => Promise<T>,
): Promise<T> {
  const reading = takeLeft(parts, scope) ?? (await beginReading(parts, scope));
  const { client, began } = reading;
  try {
    const result = await run(sessionOf(parts, client));
    leave(parts, scope, reading);
    return result;
  } catch (error) {
    await rollBack(client);
    await began;
    throw isWrite(error) ? new Error('writes belong in store.transaction') : error;
  }
}

/** What is sent first waits for no answer: whoever asks next hears of a failure. */
async function beginReading({ pool, options }: Parts, scope: Scope): Promise<Reading> {
  const client = await pool.connect();
  // Whatever the database has as its default: who goes on with it sees what was written meanwhile.
  const begin = 'begin isolation level read committed read only';
  const began = client.query(`${begin}; ${enterSql(scope, { ...options, locks: false })}`);
  began.catch(() => {});
  return { client, began, until: performance.now() + keptMaxMs };
}

/**
 * A search is many reads of a project, one after the other: a transaction for each would cost as
 * much as the reads do. Statements see what others have committed by then in either case. Not for
 * longer than this, because a change of the tables waits for all transactions that read them.
 */
const keptMaxMs = 100;

function takeLeft({ left }: Parts, scope: Scope): Reading | undefined {
  if (typeof scope !== 'number') return undefined;
  const readings = left.get(scope);
  const reading = readings?.pop();
  if (readings?.length === 0) left.delete(scope);
  return reading;
}

/** To who goes on in this turn of the event loop; nobody else waits for the connection. */
function leave(parts: Parts, scope: Scope, reading: Reading): void {
  const { left } = parts;
  if (typeof scope !== 'number' || performance.now() > reading.until) {
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

function end({ client }: Reading): void {
  client.query('commit').then(
    () => client.release(),
    (error: Error) => client.release(error),
  );
}

/** A transaction that only reads refuses them, whoever is the primary server. */
function isWrite(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '25006';
}

async function write<T>(parts: Parts, run: (transaction: Transaction) => Promise<T>): Promise<T> {
  const client = await parts.pool.connect();
  const { transaction, end } = createTransaction(parts, client);
  let result: T;
  try {
    result = await run(transaction);
  } catch (error) {
    end();
    await rollBack(client);
    throw error;
  }
  end();
  await commit(client);
  return result;
}

async function commit(client: PoolClient): Promise<void> {
  try {
    await client.query('commit');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}

async function rollBack(client: PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

/** Statements of one scope may run side by side; another scope begins when they have ended. */
function createTransaction(parts: Parts, client: PoolClient) {
  const session = sessionOf(parts, client);
  let current: Scope | null = null;
  let entered: Promise<unknown> = Promise.resolve();
  let running = 0;
  let isOver = false;
  const enter = (scope: Scope) => {
    if (scope === current || (scope === 'free' && current !== null)) return;
    if (running > 0) throw new Error('a transaction works in one scope at a time');
    // Who changes both begins with what is everybody's: then nobody waits for each other.
    const locks = scope !== 'tenants' || current === null;
    const begin = current === null ? 'begin; ' : '';
    current = scope;
    entered = client.query(begin + enterSql(scope, { ...parts.options, locks }));
    entered.catch(() => {}); // the statements that follow fail too
  };
  const within: Transaction['within'] = async (scope, run) => {
    if (isOver) throw new Error('these tables belong to a transaction that ended');
    enter(scope);
    const began = entered;
    running += 1;
    try {
      return await run(session);
    } catch (error) {
      await began; // its failure is the first one
      throw error;
    } finally {
      running -= 1;
    }
  };
  const end = () => {
    isOver = true;
  };
  return { transaction: { within }, end };
}

/** One for each connection: statements that were built for it are kept with it. */
function sessionOf({ sessions }: Parts, client: PoolClient): Session {
  const known = sessions.get(client);
  if (known !== undefined) return known;
  const session = createSession(client);
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
