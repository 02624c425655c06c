import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** Creates a client that is not connected yet. */
export type ClientFactory = () => ClientBase & { end(): Promise<void> };

/**
 * True if a pooler lends connections for one transaction: settings and locks then last only until
 * its end. PgBouncer reports its own process number, and so do proxies that give each client its
 * own connection: `another` client tells them apart. Without it, a pooler is assumed. Must not be
 * called within a transaction.
 */
export async function isBehindPooler(
  client: ClientBase,
  another?: ClientFactory,
): Promise<boolean> {
  const processId = 'processID' in client ? client.processID : null;
  if (typeof processId !== 'number' || processId === (await readBackendPid(client))) return false;
  if (another === undefined) return true;
  const other = another();
  other.on('error', () => {}); // the running statement fails with it
  try {
    await other.connect();
    // It is not a server that uses the store.
    await other.query(`set application_name to ''`);
    return await Promise.race([
      sharesBackend(client, other),
      sleep(sharedCheckMaxMs, false, { ref: false }),
    ]);
  } finally {
    await other.end().catch(() => {});
  }
}

/** A longer wait means that the other client's connection is not lent to anyone. */
const sharedCheckMaxMs = 3_000;

/** A pooler lends the connection that was used last, unless a third client takes it. */
const sharedCheckAttempts = 5;

async function sharesBackend(client: ClientBase, other: ClientBase): Promise<boolean> {
  for (let attempt = 0; attempt < sharedCheckAttempts; attempt += 1) {
    const before = await readBackendPid(client);
    if ((await readBackendPid(other)) === before || (await readBackendPid(client)) !== before)
      return true;
  }
  return false;
}

async function readBackendPid(client: ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
