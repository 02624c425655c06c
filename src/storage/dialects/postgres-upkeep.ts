import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../core/ports.ts';
import { keepGraphs } from './postgres-near-index.ts';
import type { Postgres } from './postgres-pool.ts';

/** Not at once: most commands are over by then. */
const firstMs = 30_000;
const everyMs = 10 * 60_000;

/** Looks now and then, until it is stopped, whether projects have grown enough for a graph. */
export function startUpkeep(postgres: Postgres, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const keepOn = async () => {
    for (let pauseMs = firstMs; ; pauseMs = everyMs) {
      await sleep(pauseMs, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      await keepOnce(postgres, { log, signal });
    }
  };
  const kept = keepOn();
  return {
    stop: async () => {
      stopping.abort();
      await kept;
    },
  };
}

async function keepOnce(
  { connect }: Postgres,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<void> {
  const client = connect();
  // What the server has begun it ends without us.
  const leave = () => void client.end().catch(() => {});
  client.on('error', leave);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await client.connect();
    await keepGraphs(client, { log });
  } catch (error) {
    if (signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'graphs of vectors could not be made', { error: reason });
  } finally {
    signal.removeEventListener('abort', leave);
    await client.end().catch(() => {});
  }
}
