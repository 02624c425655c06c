import type { Logger } from '../../core/ports/index.ts';
import { keepGraphs } from './postgres-near-index.ts';
import type { Postgres } from './postgres-pool.ts';
import { startUpkeep, type Upkeep } from './upkeep.ts';

/** Not at once: most commands are over by then. */
const pace = { firstMs: 30_000, everyMs: 10 * 60_000 };

/** Looks now and then, until it is stopped, whether projects have grown enough for a graph. */
export function startPostgresUpkeep(postgres: Postgres, log: Logger): Upkeep {
  return startUpkeep((signal) => keepOnce(postgres, { log, signal }), pace);
}

async function keepOnce(
  { connect }: Postgres,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const client = connect();
  // What the server has begun it ends without us.
  const leave = () => void client.end().catch(() => {});
  client.on('error', leave);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await client.connect();
    await keepGraphs(client, { log, another: connect });
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'graphs of vectors could not be made', { error: reason });
  } finally {
    signal.removeEventListener('abort', leave);
    await client.end().catch(() => {});
  }
}
