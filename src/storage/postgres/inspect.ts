import type { ClientBase } from 'pg';
import type { Logger } from '../../core/ports/index.ts';
import { schemaVersion } from '../migrations/steps.ts';
import { countVersionsSql, type VersionCounts } from '../sql/count-versions.ts';
import { readPostgresAddress } from './connection/address.ts';
import { createPostgresPool } from './connection/pool.ts';
import { isBehindPooler } from './connection/pooler.ts';
import {
  appRole,
  isLockedSql,
  queueRole,
  schemaName,
  transferLock,
} from './connection/row-security.ts';
import { asAppRole, checkSchema, findStoreState, inReadOnlyTransaction } from './schema/migrate.ts';
import { hasHnswSql } from './search/hnsw-index.ts';

/** The state of a database, which may not hold a store yet. */
export type DatabaseReport = {
  /** The address, without a password. */
  shown: string;
  /** Whether there is a pooler, such as PgBouncer. */
  isPooled: boolean;
  /** False if the connection can be read on the way. */
  isPrivate: boolean;
  server: string;
  /** 0 if there is no store yet. */
  schema: number;
  isCurrent: boolean;
  /** The version of pgvector; null if only keyword search works. */
  vector_version: string | null;
  /** Whether pgvector is new enough for vector indexes, which large projects need. */
  has_graphs: boolean;
  /** Whether the server offers pgvector, whether or not this database has it. */
  vector_available: boolean;
  /** Row policies do not apply to superusers; they do apply to the roles of this program. */
  is_superuser: boolean;
  /** Whether the user may assume the roles of the policies. */
  has_roles: boolean;
  store: {
    memories: number;
    keys: number;
    bytes: number;
    /** Null if the user may not assume the role that sees all projects. */
    versions: VersionCounts | null;
  } | null;
  /** An unfinished move into it: whether a process is running it, or it was interrupted. */
  move: 'at work' | 'stopped' | null;
};

/**
 * Reads the state of the database and changes nothing. Throws `unavailable` if it can't be reached,
 * or holds a store of a later schema.
 */
export async function inspectPostgres(
  url: string,
  { versions_before = null }: { versions_before?: string | null } = {},
): Promise<DatabaseReport> {
  const log: Logger = () => {};
  const postgres = createPostgresPool({ ...inspectLimits, url, log });
  try {
    const { shown, isPrivate } = readPostgresAddress(url);
    return await postgres.asOwner(async (client) => {
      const connection = {
        shown,
        isPrivate,
        isPooled: await isBehindPooler(client, postgres.connect),
      };
      return inReadOnlyTransaction(client, async () => {
        const { version: schema, isMoving } = await findStoreState(client);
        checkSchema(schema, { shown });
        const isCurrent = schema === schemaVersion;
        const server = await inspectServer(client);
        const { has_roles } = server;
        const store = await inspectContents(client, { schema, versions_before, has_roles });
        const move = isMoving ? await inspectTransfer(client) : null;
        return { ...connection, schema, isCurrent, ...server, store, move };
      });
    });
  } finally {
    await postgres.end();
  }
}

const inspectLimits = { pool_size: 1, statement_timeout_ms: 10_000, busy_timeout_ms: 5_000 };

type ServerFacts = Pick<
  DatabaseReport,
  'server' | 'vector_version' | 'has_graphs' | 'vector_available' | 'is_superuser' | 'has_roles'
>;

async function inspectServer(client: ClientBase): Promise<ServerFacts> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version') as server,
      (select extversion from pg_extension where extname = 'vector') as vector_version,
      ${hasHnswSql} as has_graphs,
      exists (select from pg_available_extensions where name = 'vector') as vector_available,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_superuser,
      (select count(*) = 2 from pg_roles where rolname = any($1)
        and pg_has_role(current_user, oid, 'member')) as has_roles`,
    [[appRole, queueRole]],
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the server reported nothing about itself');
  return server;
}

type InspectedContents = { schema: number; versions_before: string | null; has_roles: boolean };

async function inspectContents(
  client: ClientBase,
  { schema, versions_before, has_roles }: InspectedContents,
): Promise<DatabaseReport['store']> {
  if (schema === 0) return null;
  const { rows } = await asAppRole(client, () =>
    client.query<{
      memories: number;
      keys: number;
      bytes: number;
    }>(`select coalesce((select sum(total_memories) from ${schemaName}.projects), 0) as memories,
      (select count(*) from ${schemaName}.api_keys where revoked_at is null) as keys,
      pg_database_size(current_database()) as bytes`),
  );
  const [row] = rows;
  if (row === undefined) return null;
  if (!has_roles) return { ...row, versions: null };
  await client.query(`set local role ${queueRole}`); // which sees all projects
  const counts = await client.query<VersionCounts>(
    countVersionsSql(`${schemaName}.memory_versions`, 'cast($1 as text)'),
    [versions_before],
  );
  await client.query('set local role to default');
  return { ...row, versions: counts.rows[0] ?? null };
}

async function inspectTransfer(client: ClientBase): Promise<DatabaseReport['move']> {
  const { rows } = await client.query<{ held: boolean }>(
    `select ${isLockedSql(transferLock)} as held`,
  );
  return rows[0]?.held ? 'at work' : 'stopped';
}
