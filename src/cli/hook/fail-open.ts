import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError, reasonOf } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';

/** The client and its user wait for a hook, so it may take no longer than this. */
const hookTimeoutMs = 5_000;

/** Shortens timeouts, so that slow calls fail with their own error within that time. */
export function withHookTimeouts({ values, ...loaded }: LoadedConfig): LoadedConfig {
  const remote_timeout_ms = Math.min(values.remote_timeout_ms, 3_500);
  return { ...loaded, values: { ...values, remote_timeout_ms }, busy_timeout_ms: 1_000 };
}

/** Runs a hook: any failure or timeout is reported on stderr and never stops the client. */
export async function runFailOpen(
  work: () => Promise<unknown>,
  { timeoutMs = hookTimeoutMs } = {},
): Promise<number> {
  const timer = setTimeout(() => {
    printToStderr(`mneme: gave up after ${timeoutMs / 1000} seconds`);
    process.exit(0); // A pending connection would keep the process alive.
  }, timeoutMs);
  try {
    await work();
  } catch (error) {
    printToStderr(`mneme: ${reasonOf(error)}`);
    if (error instanceof ApiError && error.next !== undefined) printToStderr(error.next);
  } finally {
    clearTimeout(timer);
  }
  return 0;
}
