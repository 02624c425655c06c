import type { ClientBase } from 'pg';
import type { Logger } from '../../core/ports/index.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { readAddress } from './postgres-address.ts';
import { asApp, findState, reading } from './postgres-migrate.ts';
import { hasGraphsSql } from './postgres-near-index.ts';
import { createPostgres } from './postgres-pool.ts';
import { isPooled } from './postgres-pooler.ts';
import { appRole, heldSql, lockOfMove, queueRole, schemaName } from './postgres-scope.ts';

/** What there is to know about a database; nothing of it where it has no store yet. */
export type DatabaseReport = {
  /** Where it is, without a password. */
  shown: string;
  /** Whether a pooler is in between, as PgBouncer. */
  isPooled: boolean;
  /** False where what travels can be read on the way. */
  isPrivate: boolean;
  server: string;
  /** 0 where there is no store yet. */
  schema: number;
  isCurrent: boolean;
  /** Of pgvector; null where memories are found by their words only. */
  vector_version: string | null;
  /** Whether pgvector is new enough for graphs, over which large projects are searched. */
  has_graphs: boolean;
  /** Whether the server has pgvector, made in this database or not. */
  vector_available: boolean;
  /** Policies of rows do not hold for these; they do for what this program runs as. */
  is_superuser: boolean;
  /** Whether the user may work as the roles that policies are about. */
  has_roles: boolean;
  store: { memories: number; keys: number; bytes: number } | null;
  /** A move into it that has not ended: whether a process is at it, or it was stopped. */
  move: 'at work' | 'stopped' | null;
};

/** Looks at the database and changes nothing. Throws `unavailable` where it cannot be reached. */
export async function inspectPostgres(url: string): Promise<DatabaseReport> {
  const log: Logger = () => {};
  const postgres = createPostgres({ ...limits, url, log });
  try {
    const { shown, isPrivate } = readAddress(url);
    return await postgres.asOwner(async (client) => {
      const connection = { shown, isPrivate, isPooled: await isPooled(client, postgres.connect) };
      return reading(client, async () => {
        const { version: schema, isMoving } = await findState(client);
        const isCurrent = schema === schemaVersion;
        const server = await inspectServer(client);
        const store = await inspectStore(client, schema);
        const move = isMoving ? await inspectMove(client) : null;
        return { ...connection, schema, isCurrent, ...server, store, move };
      });
    });
  } finally {
    await postgres.end();
  }
}

const limits = { pool_size: 1, statement_timeout_ms: 10_000, busy_timeout_ms: 5_000 };

type Server = Pick<
  DatabaseReport,
  'server' | 'vector_version' | 'has_graphs' | 'vector_available' | 'is_superuser' | 'has_roles'
>;

async function inspectServer(client: ClientBase): Promise<Server> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version') as server,
      (select extversion from pg_extension where extname = 'vector') as vector_version,
      ${hasGraphsSql} as has_graphs,
      exists (select from pg_available_extensions where name = 'vector') as vector_available,
      (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_superuser,
      (select count(*) = 2 from pg_roles where rolname = any($1)
        and pg_has_role(current_user, oid, 'member')) as has_roles`,
    [[appRole, queueRole]],
  );
  const [server] = rows;
  if (server === undefined) throw new Error('the server says nothing about itself');
  return server;
}

async function inspectStore(client: ClientBase, schema: number): Promise<DatabaseReport['store']> {
  if (schema === 0) return null;
  const { rows } = await asApp(client, () =>
    client.query<{
      memories: number;
      keys: number;
      bytes: number;
    }>(`select coalesce((select sum(total_memories) from ${schemaName}.projects), 0) as memories,
      (select count(*) from ${schemaName}.keys where revoked_at is null) as keys,
      pg_database_size(current_database()) as bytes`),
  );
  return rows[0] ?? null;
}

async function inspectMove(client: ClientBase): Promise<DatabaseReport['move']> {
  const { rows } = await client.query<{ held: boolean }>(`select ${heldSql(lockOfMove)} as held`);
  return rows[0]?.held ? 'at work' : 'stopped';
}
