import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { openStore } from '../../src/storage/store.ts';

/** The server that tests run on; without one they use files. */
const server = process.env.TEST_POSTGRES_URL;

export const isPostgres = server !== undefined;

const { version, pgvector, has_halves } = server === undefined ? nothing() : await onServer(lookAt);

/** Whether vectors can be stored: always in a file, on a server only with pgvector. */
export const hasVectors = !isPostgres || pgvector !== null;

/** Whether there can be vector indexes in half precision; a file has none. */
export const hasGraphs = pgvector !== null && has_halves;

function nothing(): Look {
  return { version: 0, pgvector: null, has_halves: false };
}

type Look = { version: number; pgvector: string | null; has_halves: boolean };

async function lookAt(client: pg.Client): Promise<Look> {
  const { rows } = await client.query<Look>(
    `select current_setting('server_version_num')::integer as version,
        default_version as pgvector,
        coalesce(string_to_array(default_version, '.')::integer[] >= '{0,7}', false) as has_halves
      from (select) as always left join pg_available_extensions on name = 'vector'`,
  );
  return rows[0] ?? nothing();
}

/**
 * The option of `openStore` that puts the store of a folder into its own database on the test
 * server; empty without a server.
 */
export async function databaseOf(folder: string) {
  if (server === undefined) return {};
  const name = nameOf(folder);
  await onServer(async (client) => {
    if (await exists(client, name)) return;
    const template = await makeTemplate(client, server);
    await client.query(`create database ${name} template ${template} ${asFiles}`);
    await onServer(renewSecret, urlOf(server, name));
  });
  return { database: { ...limits, url: urlOf(server, name) } };
}

/** Removes the database of a folder, even if it is in use. */
export async function dropDatabase(folder: string): Promise<void> {
  if (server === undefined) return;
  await onServer((client) =>
    client.query(`drop database if exists ${nameOf(folder)} with (force)`),
  );
}

/** Runs on its own connection, as the server's first user. */
export async function inDatabase<T>(
  folder: string,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return onServer(run, urlOf(server ?? '', nameOf(folder)));
}

const limits = { pool_size: 10, statement_timeout_ms: 60_000 };

/** Faster than through the log; before 15 it is the only strategy. */
const asFiles = version >= 150_000 ? 'strategy file_copy' : '';

/** One for all test files of a run, because creating the tables takes longer than copying them. */
async function makeTemplate(client: pg.Client, url: string): Promise<string> {
  const name = `mneme_template_${process.env.VITEST_RUN_ID ?? process.ppid}`;
  await client.query('select pg_advisory_lock(7)');
  try {
    if (await exists(client, name)) return name;
    await client.query(`create database ${name}`);
    const store = await openStore({
      data_dir: '',
      synchronous: 'normal',
      busy_timeout_ms: 10_000,
      log: () => {},
      database: { ...limits, url: urlOf(url, name) },
    });
    await store.close();
    return name;
  } finally {
    await client.query('select pg_advisory_unlock(7)');
  }
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount !== 0;
}

/** Each store has its own secret, but a copy has that of the template. */
async function renewSecret(client: pg.Client): Promise<void> {
  const secret = randomBytes(32).toString('hex');
  await client.query(`update mneme.meta set value = $1 where key = 'secret'`, [secret]);
}

async function onServer<T>(run: (client: pg.Client) => Promise<T>, url = server): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function nameOf(folder: string): string {
  return `mneme_${createHash('sha256').update(folder).digest('hex').slice(0, 20)}`;
}

function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
