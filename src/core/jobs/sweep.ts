import type { Deps, Instant, Store, Tables } from '../ports.ts';
import { later } from './later.ts';

export type SweepOptions = {
  /** How long settled events and deliveries are kept. */
  retention_days: number;
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

/** Events go in pieces, each in a transaction of its own, so that writers get their turn. */
export async function sweep({ store, clock, log }: Parts, { retention_days }: SweepOptions) {
  const now = clock.now();
  const keptSince = later(now, -retention_days * dayMs);
  const events = await forgetEvents(store, keptSince);
  const rest = await store.transaction(async (tables: Tables) => ({
    deliveries: await tables.deliveries.deleteSettledBefore(keptSince),
    answers: await tables.answers.deleteBefore(later(now, -dayMs)),
  }));
  if (events + rest.deliveries + rest.answers === 0) return;
  log('info', 'swept what is past its time', { events, ...rest });
}

async function forgetEvents(store: Store, keptSince: Instant): Promise<number> {
  for (let forgotten = 0; ; ) {
    const count = await store.transaction((tables) =>
      tables.events.deleteSettledBefore(keptSince, pieceSize),
    );
    forgotten += count;
    if (count < pieceSize) return forgotten;
  }
}

const pieceSize = 1000;
