import { deleteExpired } from '../memory/delete.ts';
import { reanalyze } from '../memory/reanalyze.ts';
import type { Deps } from '../ports.ts';
import { later } from './later.ts';
import { pauseForOthers } from './pause.ts';

export type SweepOptions = {
  /** How long settled events and deliveries are kept. */
  retention_days: number;
  /** How long finished exports are kept; 0 is for ever. */
  export_retention_days: number;
  /** How long memories are kept after the last day on which they show; 0 is for ever. */
  expired_retention_days: number;
};

const dayMs = 24 * 60 * 60 * 1000;
const intervalMs = 60 * 60 * 1000;

/** Late enough not to weigh on a start. */
const firstAfterMs = 60 * 1000;

/** Removes what is past its time, every hour while it runs. */
export function createSweeper(deps: Deps, options: SweepOptions): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  const run = () => {
    sweeping = sweeping
      .then(() => reanalyze(deps, stopping.signal))
      .then(() => sweep(deps, options, stopping.signal))
      // The store is away, or busy for long: the next hour does it.
      .catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        deps.log('warn', 'what is past its time could not be swept', { error: reason });
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
      stopping.abort();
      return sweeping;
    },
  };
}

/**
 * Much goes in pieces, each in a transaction of its own, so that writers get their turn. Other
 * processes may sweep at once: what one has taken is there for no other.
 */
export async function sweep(deps: Deps, options: SweepOptions, signal?: AbortSignal) {
  const { store, clock, log } = deps;
  const now = clock.now();
  const keptSince = later(now, -options.retention_days * dayMs);
  const memories = await sweepMemories(deps, options, signal);
  const events = await inPieces(eventsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.events.deleteSettledBefore(keptSince, limit)),
  );
  const exports = await sweepExports(deps, options, signal);
  const rest = await store.transaction(async (tables) => ({
    deliveries: await tables.deliveries.deleteSettledBefore(keptSince),
    answers: await tables.answers.deleteBefore(later(now, -dayMs)),
  }));
  if (memories + events + exports + rest.deliveries + rest.answers === 0) return;
  log('info', 'swept what is past its time', { memories, events, exports, ...rest });
}

async function sweepMemories(
  deps: Deps,
  { expired_retention_days: days }: SweepOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (days === 0) return 0;
  const before = later(deps.clock.now(), -days * dayMs).slice(0, 'YYYY-MM-DD'.length);
  let deleted = 0;
  for (const project of await deps.store.memories.listExpiredProjects(before)) {
    deleted += await inPieces(memoriesAtOnce, signal, (limit) =>
      deleteExpired(deps, project, { before, limit }),
    );
  }
  return deleted;
}

async function sweepExports(
  { store, clock }: Deps,
  { export_retention_days: days }: SweepOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (days === 0) return 0;
  const keptSince = later(clock.now(), -days * dayMs);
  return inPieces(exportsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.exports.deleteSettledBefore(keptSince, limit)),
  );
}

const eventsAtOnce = 1000;
const memoriesAtOnce = 200;

/** What an export holds may be as long as thousands of events. */
const exportsAtOnce = 20;

/** Ends early when the process stops: the next sweep goes on. */
async function inPieces(
  size: number,
  signal: AbortSignal | undefined,
  forget: (limit: number) => Promise<number>,
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const count = await forget(size);
    forgotten += count;
    if (count < size || signal?.aborted) return forgotten;
    await pauseForOthers();
  }
}
