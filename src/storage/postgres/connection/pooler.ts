import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase } from 'pg';

/** A client that nobody has connected yet. */
export type ClientFactory = () => ClientBase & { end(): Promise<void> };

/**
 * True where a pooler is in between that lends connections for a transaction: what one is told then
 * holds until the end of it, and so do its locks, because the next one may be another client's.
 * PgBouncer gives its own number for that of the process that answers. So does whatever else stands
 * in between, as proxies that leave each client its connection: `another` client finds out which it
 * is. Without it the careful answer is given. Not to be asked within a transaction.
 */
export async function isBehindPooler(
  client: ClientBase,
  another?: ClientFactory,
): Promise<boolean> {
  const told = 'processID' in client ? client.processID : null;
  if (typeof told !== 'number' || told === (await readBackendPid(client))) return false;
  if (another === undefined) return true;
  const other = another();
  other.on('error', () => {}); // the statement that is under way hears of it
  try {
    await other.connect();
    // It is no server that uses the store.
    await other.query(`set application_name to ''`);
    return await Promise.race([
      sharesBackend(client, other),
      sleep(sharedCheckMaxMs, false, { ref: false }),
    ]);
  } finally {
    await other.end().catch(() => {});
  }
}

/** Who waits longer does so because the connection of the other one is not lent to anybody. */
const sharedCheckMaxMs = 3_000;

/** A pooler lends what was used last, if no third client comes first. */
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
