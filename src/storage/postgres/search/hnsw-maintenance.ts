import { reasonOf } from '../../../contract/errors.ts';
import type { Logger } from '../../../core/ports/index.ts';
import { type PeriodicTask, startPeriodicTask } from '../../sql/periodic-task.ts';
import type { PostgresPool } from '../connection/pool.ts';
import { maintainHnswIndexes } from './hnsw-index.ts';

/** The first check waits 30 seconds, so that most commands end without one. */
const maintenanceSchedule = { firstMs: 30_000, everyMs: 10 * 60_000 };

/** Builds missing vector indexes at intervals, until stopped. */
export function startHnswMaintenance(postgres: PostgresPool, log: Logger): PeriodicTask {
  return startPeriodicTask(
    (signal) => maintainOnce(postgres, { log, signal }),
    maintenanceSchedule,
  );
}

async function maintainOnce(
  { connect }: PostgresPool,
  { log, signal }: { log: Logger; signal: AbortSignal },
): Promise<void> {
  const client = connect();
  // The server cancels what it has begun.
  const leave = () => void client.end().catch(() => {});
  client.on('error', leave);
  signal.addEventListener('abort', leave, { once: true });
  try {
    await client.connect();
    await maintainHnswIndexes(client, { log, createClient: connect });
  } catch (error) {
    if (signal.aborted) return;
    log('warn', 'vector index build failed', { error: reasonOf(error) });
  } finally {
    signal.removeEventListener('abort', leave);
    await client.end().catch(() => {});
  }
}
