import { reasonOf } from '../../contract/errors.ts';
import { createTurns } from '../../turns.ts';
import type { Deps, Logger, ProjectRef, Store, StoredEvent, StoredRecall } from '../ports/index.ts';

/** Writes events that nothing waits for, many in one transaction. */
export type EventRecorder = {
  record: Deps['recordEventLater'];
  /** Writes the events that are waiting, before somebody reads events. */
  flush(): Promise<void>;
  /** Writes the rest and takes no more. */
  stop(): Promise<void>;
};

const flushIntervalMs = 1_000;
const batchSize = 200;

/** While the store is away, more than this is not worth the memory that it costs. */
const bufferedMax = 10_000;

/**
 * Neither slows nor fails what it records: what can't be written is logged and dropped. What comes
 * while others are written waits for the next time: one by one, reads would have a transaction
 * each, and each commit empties the page cache of those who read.
 */
export function createEventRecorder(store: Pick<Store, 'transaction'>, log: Logger): EventRecorder {
  const waiting: { project: ProjectRef; event: () => StoredEvent; recall?: StoredRecall }[] = [];
  let overflow = 0;
  let writing: Promise<void> = Promise.resolve();
  let stopped = false;

  const write = async (): Promise<void> => {
    for (let left = waiting.length; left > 0; left -= batchSize) {
      const batch = waiting.splice(0, Math.min(left, batchSize));
      try {
        const events = await eventsOf(batch);
        await store.transaction(async (tables) => {
          await tables.events.insertMany(events);
          await tables.recalls.insertMany(batch.filter(hasRecall));
        });
      } catch (error) {
        const lost = batch.length + overflow;
        overflow = 0;
        log('warn', 'read events could not be recorded', { events: lost, error: reasonOf(error) });
      }
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  const timer = setInterval(flush, flushIntervalMs);
  timer.unref();

  return {
    record: (project, event, recall) => {
      if (stopped) return;
      if (waiting.length >= bufferedMax) {
        overflow += 1;
        return;
      }
      waiting.push({ project, event, ...(recall !== undefined && { recall }) });
      // Started, not awaited: `write` handles its own failures.
      if (waiting.length === batchSize) void flush();
    },
    flush,
    stop: () => {
      stopped = true;
      clearInterval(timer);
      return flush();
    },
  };
}

/** Others have their turn meanwhile: a long question takes long to redact. */
async function eventsOf(batch: readonly { project: ProjectRef; event: () => StoredEvent }[]) {
  const yieldTurn = createTurns();
  const events: { project: ProjectRef; event: StoredEvent }[] = [];
  for (const { project, event } of batch) {
    events.push({ project, event: event() });
    await yieldTurn();
  }
  return events;
}

function hasRecall<T extends { recall?: StoredRecall }>(
  read: T,
): read is T & { recall: StoredRecall } {
  return read.recall !== undefined;
}
