import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type PoolClient } from 'pg';
import { errorCodeOf } from '../../../contract/errors.ts';
import type { Logger } from '../../../core/ports/index.ts';
import type { DbSession } from '../../sql/dialect.ts';
import { readPostgresAddress } from './address.ts';
import {
  isDisconnection,
  isSerializationFailure,
  isStatementStale,
  postgresUnavailable,
  translatePostgresError,
} from './errors.ts';
import { roundTripMaxMs } from './pipeline.ts';
import { enterScopeStatements, type RowScope } from './row-security.ts';
import {
  createPostgresSession,
  type PostgresSession,
  type StatementNaming,
  typeParsers,
} from './session.ts';
import { commitTransaction, type PooledConnection, rollbackTransaction } from './transaction.ts';
import { createWriteTransactions, type RunWriteTransaction } from './write-transaction.ts';

export type PostgresOptions = {
  url: string;
  /** Connections of this process. */
  pool_size: number;
  statement_timeout_ms: number;
  /** How long a write waits for another one of the same project, or for a connection. */
  busy_timeout_ms: number;
  log: Logger;
};

/** The connections of this process, and the transactions on them. */
export type PostgresPool = {
  /** Runs a read-only transaction in a scope; retried after a lost connection or a deadlock. */
  read<T>(scope: RowScope, run: (session: DbSession) => Promise<T>): Promise<T>;
  /** All or nothing; restarted after a conflict. */
  write: RunWriteTransaction;
  /** Runs one statement as the user of the address, to whom row policies do not apply. */
  asOwner<T>(run: (client: PoolClient) => Promise<T>): Promise<T>;
  connect: () => pg.Client;
  shown: string;
  end(): Promise<void>;
};

export function createPostgresPool(options: PostgresOptions): PostgresPool {
  const { connectionString, ssl, shown } = readPostgresAddress(options.url);
  const { pool_size: max, busy_timeout_ms, log } = options;
  const config = {
    connectionString,
    ssl,
    types: typeParsers,
    application_name: 'mneme',
    keepAlive: true,
  };
  const connectionTimeoutMillis = Math.max(busy_timeout_ms, connectMinMs);
  const pool = new pg.Pool({ ...config, max, connectionTimeoutMillis });
  // An idle connection that breaks is replaced at its next use; the holder of a lent one learns of
  // it at the next statement. Without a listener, the error would end the process.
  pool.on('error', (error) => log('warn', 'database connection lost', { error: error.message }));
  pool.on('connect', (client) => client.on('error', () => {}));
  const naming: StatementNaming = { isOn: true };
  const parts: PoolState = { pool, naming, sessions: new WeakMap(), idleReads: new Map(), options };
  const write = createWriteTransactions({ checkOut: () => checkOut(parts), limits: options });
  const work = createCallTracker(shown);
  const retry = createRetry(busy_timeout_ms);
  return {
    read: (scope, run) => work.run(() => retry(isRetryableRead, () => read(parts, scope, run))),
    write: (run) => work.run(() => retry(isRetryable, () => write(run))),
    asOwner: (run) => work.run(() => retry(isDisconnection, () => withClient(parts, run))),
    connect: () => new pg.Client({ ...config, connectionTimeoutMillis }),
    shown,
    end: async () => {
      await work.end();
      await pool.end();
    },
  };
}

/** Lets running calls finish before connections close; refuses later ones. */
function createCallTracker(shown: string) {
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    run: async <T>(start: () => Promise<T>): Promise<T> => {
      if (isClosed) {
        throw postgresUnavailable(shown, 'was closed; the server is stopping');
      }
      const work = start();
      running.add(work);
      try {
        return await work;
      } catch (error) {
        throw translatePostgresError(error, shown);
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

/** A deadlock: a read takes tables in another order than a migration. */
const isRetryableRead = (error: unknown) => isDisconnection(error) || isRetryable(error);
const isRetryable = (error: unknown) => isSerializationFailure(error) || isStatementStale(error);

type PoolState = {
  pool: pg.Pool;
  naming: StatementNaming;
  sessions: WeakMap<PoolClient, PostgresSession>;
  /** Transactions that the next read of the same scope may continue. */
  idleReads: Map<RowScope, ReadTransaction[]>;
  options: PostgresOptions;
};

/** The driver itself waits forever for a connection that has gone silent. */
async function withClient<T>(
  { pool, options }: PoolState,
  run: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const { statement_timeout_ms } = options;
  let watch: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    if (statement_timeout_ms === 0) return;
    const giveUp = () => reject(new Error('Connection terminated: no response'));
    watch = setTimeout(giveUp, statement_timeout_ms + roundTripMaxMs);
  });
  const work = run(client);
  try {
    const result = await Promise.race([work, silence]);
    client.release();
    return result;
  } catch (error) {
    work.catch(() => {}); // what it was ended with is known
    client.release(isDisconnection(error));
    throw error;
  } finally {
    clearTimeout(watch);
  }
}

/** A read-only transaction, and until when others may continue it. */
type ReadTransaction = PooledConnection & { began: Promise<unknown>; until: number };

async function read<T>(
  parts: PoolState,
  scope: RowScope,
  run: (session: DbSession) => Promise<T>,
): Promise<T> {
  const reading = takeIdleRead(parts, scope) ?? (await beginRead(parts, scope));
  const { session, began } = reading;
  try {
    const result = await run(session);
    await session.drain(); // only writes are unsent, and they are refused
    keepForReuse(parts, scope, reading);
    return result;
  } catch (error) {
    await rollbackTransaction(reading);
    await began;
    throw isReadOnlyViolation(error) ? new Error('writes belong in store.transaction') : error;
  }
}

/** Not awaited: a failure shows up at the next statement. */
async function beginRead(parts: PoolState, scope: RowScope): Promise<ReadTransaction> {
  const lent = await checkOut(parts);
  lent.session.resetFailures();
  // Explicit, whatever the database's default: later reads must see what was written since.
  const begin = { text: 'begin isolation level read committed read only', name: 'mneme_read' };
  const statements = [begin, ...enterScopeStatements(scope, { ...parts.options, locks: false })];
  const began = Promise.all(statements.map(lent.session.query));
  began.catch(() => {});
  return { ...lent, began, until: performance.now() + readReuseMaxMs };
}

/**
 * A search reads a project many times in a row, as does an access check: a transaction for each
 * read would cost as much as the reads. Statements see what others have committed in either case.
 * Not for longer than this, because schema changes wait for all transactions that read the tables.
 */
const readReuseMaxMs = 100;

function takeIdleRead({ idleReads }: PoolState, scope: RowScope): ReadTransaction | undefined {
  const readings = idleReads.get(scope);
  const reading = readings?.pop();
  if (readings?.length === 0) idleReads.delete(scope);
  return reading;
}

/** For the next read in this turn of the event loop; nobody else waits for the connection. */
function keepForReuse(parts: PoolState, scope: RowScope, reading: ReadTransaction): void {
  const { idleReads } = parts;
  if (performance.now() > reading.until) {
    endRead(reading);
    return;
  }
  const readings = idleReads.get(scope) ?? [];
  idleReads.set(scope, readings);
  readings.push(reading);
  setImmediate(() => {
    const at = readings.indexOf(reading);
    if (at === -1) return;
    readings.splice(at, 1);
    if (readings.length === 0) idleReads.delete(scope);
    endRead(reading);
  });
}

function endRead(reading: ReadTransaction): void {
  commitTransaction(reading).catch(() => {}); // it has changed nothing
}

/** A read-only transaction reports this, whether or not the server is the primary. */
function isReadOnlyViolation(error: unknown): boolean {
  return errorCodeOf(error) === '25006';
}

async function checkOut(parts: PoolState): Promise<PooledConnection> {
  const client = await parts.pool.connect();
  return { client, session: sessionOf(parts, client) };
}

/** One per connection, which keeps its prepared statements. */
function sessionOf({ sessions, naming, options }: PoolState, client: PoolClient): PostgresSession {
  const current = sessions.get(client);
  if (current !== undefined) return current;
  const session = createPostgresSession(client, {
    naming,
    responseTimeoutMs: options.statement_timeout_ms,
  });
  sessions.set(client, session);
  return session;
}

const attemptsMax = 6;
const pauseMs = 20;

/**
 * Repeats what may pass, but starts no attempt after that time: behind a network that stalls each
 * one takes until its timeout.
 */
function createRetry(waitMaxMs: number) {
  return async <T>(mayPass: (error: unknown) => boolean, run: () => Promise<T>): Promise<T> => {
    const began = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run();
      } catch (error) {
        const isLate = performance.now() - began >= waitMaxMs;
        if (isLate || attempt === attemptsMax || !mayPass(error)) throw error;
        // Random pauses, so that two conflicting transactions do not meet again.
        await sleep(pauseMs * 2 ** attempt * (0.5 + Math.random()));
      }
    }
  };
}
