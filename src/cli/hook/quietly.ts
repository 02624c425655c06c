import { ApiError } from '../../contract/errors.ts';
import { tell } from '../../log.ts';

/** Runs what a hook asks for: whatever goes wrong is said on stderr, and stops nobody's work. */
export async function quietly(work: () => Promise<unknown>): Promise<number> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof ApiError || error instanceof Error ? error.message : error;
    tell(`mneme: ${String(reason)}`);
  }
  return 0;
}
