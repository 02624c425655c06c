import type { Deps, Instant, Store, Tables } from '../ports.ts';
import { later } from './later.ts';

export type SweepOptions = {
  /** How long settled events and deliveries are kept. */
  retention_days: number;
  /** How long finished exports are kept; 0 is for ever. */
  export_retention_days: number;
};

type Parts = Pick<Deps, 'store' | 'clock' | 'log'>;

const dayMs = 24 * 60 * 60 * 1000;
const intervalMs = 60 * 60 * 1000;

/** Late enough not to weigh on a start. */
const firstAfterMs = 60 * 1000;

/** Forgets what is past its time, every hour while it runs. */
export function createSweeper(parts: Parts, options: SweepOptions): { stop(): Promise<void> } {
  let sweeping: Promise<void> = Promise.resolve();
  const run = () => {
    sweeping = sweeping
      .then(() => sweep(parts, options))
      // The store is away, or busy for long: the next hour does it.
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        parts.log('warn', 'old events could not be swept', { error: reason });
      });
  };
  const first = setTimeout(run, firstAfterMs);
  const timer = setInterval(run, intervalMs);
  first.unref();
  timer.unref();

  return {
    stop: () => {
      clearTimeout(first);
      clearInterval(timer);
      return sweeping;
    },
  };
}

/** Much goes in pieces, each in a transaction of its own, so that writers get their turn. */
export async function sweep({ store, clock, log }: Parts, options: SweepOptions) {
  const now = clock.now();
  const keptSince = later(now, -options.retention_days * dayMs);
  const events = await inPieces(eventsAtOnce, (limit) =>
    store.transaction((tables) => tables.events.deleteSettledBefore(keptSince, limit)),
  );
  const exports = await forgetExports(store, { now, days: options.export_retention_days });
  const rest = await store.transaction(async (tables: Tables) => ({
    deliveries: await tables.deliveries.deleteSettledBefore(keptSince),
    answers: await tables.answers.deleteBefore(later(now, -dayMs)),
  }));
  if (events + exports + rest.deliveries + rest.answers === 0) return;
  log('info', 'swept what is past its time', { events, exports, ...rest });
}

const eventsAtOnce = 1000;

/** What an export holds may be as long as thousands of events. */
const exportsAtOnce = 20;

async function forgetExports(
  store: Store,
  { now, days }: { now: Instant; days: number },
): Promise<number> {
  if (days === 0) return 0;
  const keptSince = later(now, -days * dayMs);
  return inPieces(exportsAtOnce, (limit) =>
    store.transaction((tables) => tables.exports.deleteSettledBefore(keptSince, limit)),
  );
}

async function inPieces(size: number, forget: (limit: number) => Promise<number>): Promise<number> {
  for (let forgotten = 0; ; ) {
    const count = await forget(size);
    forgotten += count;
    if (count < size) return forgotten;
  }
}
