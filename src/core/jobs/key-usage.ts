import { reasonOf } from '../../contract/errors.ts';
import type { Clock, Logger, Store } from '../ports/index.ts';

/** Notes when keys were used last. Times are as coarse as the writing is rare. */
export type KeyUsageRecorder = {
  record(key_id: string): void;
  /** Writes the rest. */
  stop(): Promise<void>;
};

/** `mneme keys list` shows minutes; a write for each request would cost more than the request. */
const flushIntervalMs = 10_000;

/** Neither slows nor fails a request: what can't be written is logged and dropped. */
export function createKeyUsageRecorder(
  { store, clock, log }: { store: Pick<Store, 'transaction'>; clock: Clock; log: Logger },
  interval_ms = flushIntervalMs,
): KeyUsageRecorder {
  const used = new Set<string>();

  const flush = async (): Promise<void> => {
    if (used.size === 0) return;
    const key_ids = [...used];
    used.clear();
    try {
      await store.transaction(({ keys }) => keys.touch(key_ids, clock.now()));
    } catch (error) {
      log('warn', 'API key usage could not be recorded', {
        keys: key_ids.length,
        error: reasonOf(error),
      });
    }
  };
  const timer = setInterval(flush, interval_ms);
  timer.unref();

  return {
    record: (key_id) => void used.add(key_id),
    stop: () => {
      clearInterval(timer);
      return flush();
    },
  };
}
