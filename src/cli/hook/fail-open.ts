import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';

/** A client, and who sits before it, wait for a hook: it may take so long, and no longer. */
const hookTimeoutMs = 5_000;

/** The configuration with less patience: what is late fails by its own name within that time. */
export function withHookTimeouts({ values, ...loaded }: LoadedConfig): LoadedConfig {
  const busy_timeout_ms = Math.min(values.busy_timeout_ms, 1_000);
  const remote_timeout_ms = Math.min(values.remote_timeout_ms, 3_500);
  return { ...loaded, values: { ...values, busy_timeout_ms, remote_timeout_ms } };
}

/**
 * Runs what a hook asks for: whatever goes wrong, or takes too long, is said on stderr and stops
 * nobody's work.
 */
export async function runFailOpen(
  work: () => Promise<unknown>,
  { timeoutMs = hookTimeoutMs } = {},
): Promise<number> {
  const timer = setTimeout(() => {
    printToStderr(`mneme: gave up after ${timeoutMs / 1000} seconds`);
    process.exit(0); // What it waits for, such as a silent peer, would keep the process alive.
  }, timeoutMs);
  try {
    await work();
  } catch (error) {
    printToStderr(`mneme: ${error instanceof Error ? error.message : String(error)}`);
    if (error instanceof ApiError && error.next !== undefined) printToStderr(error.next);
  } finally {
    clearTimeout(timer);
  }
  return 0;
}
