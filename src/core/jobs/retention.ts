import { reasonOf } from '../../contract/errors.ts';
import { dayInZone, dayMs } from '../../contract/wall-clock.ts';
import { deleteExpired } from '../memory/delete.ts';
import { refreshIndexTerms } from '../memory/refresh-index-terms.ts';
import type { Deps } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { yieldToWriters } from '../queue/pause.ts';

export type RetentionOptions = {
  /** How long settled events, deliveries and recalls are kept. */
  retention_days: number;
  /** How long finished exports are kept; 0 means forever. */
  export_retention_days: number;
  /** How long memories are kept after the last day on which they show; 0 means forever. */
  expired_retention_days: number;
  /** How long entries of the audit log are kept; 0 means forever. */
  audit_retention_days: number;
  /** How long earlier versions of memories are kept; 0 means forever. */
  history_days: number;
};

const intervalMs = 60 * 60 * 1000;

/** Late enough not to weigh on a start. */
const firstRunAfterMs = 60 * 1000;

/** Removes what is past its time, every hour while it runs. */
export function createRetentionWorker(
  deps: Deps,
  options: RetentionOptions,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();
  const run = () => {
    sweeping = sweeping
      .then(() => refreshIndexTerms(deps, stopping.signal))
      .then(() => deletePastRetention(deps, options, stopping.signal))
      // The store is away, or busy for long: the next hour does it.
      .catch((error: unknown) => {
        deps.log('warn', 'retention sweep failed', { error: reasonOf(error) });
      });
  };
  const first = setTimeout(run, firstRunAfterMs);
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
export async function deletePastRetention(
  deps: Deps,
  options: RetentionOptions,
  signal?: AbortSignal,
) {
  const { store, clock, log } = deps;
  const now = clock.now();
  const keptSince = addMs(now, -options.retention_days * dayMs);
  const memories = await deleteExpiredMemories(deps, options, signal);
  const events = await inBatchesOf(eventsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.events.deleteSettledBefore(keptSince, limit)),
  );
  const exports = await deleteOldExports(deps, options, signal);
  const recalls = await inBatchesOf(eventsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.recalls.deleteBefore(keptSince, limit)),
  );
  const versions = await deleteOldVersions(deps, options, signal);
  const rest = await store.transaction(async (tables) => ({
    deliveries: await tables.deliveries.deleteSettledBefore(keptSince),
    answers: await tables.idempotencyKeys.deleteBefore(addMs(now, -dayMs)),
    sessions: await tables.sessions.deleteEnded(now),
    audited: await deleteOldAudit(tables, now, options),
  }));
  const swept = { memories, events, exports, recalls, versions, ...rest };
  if (Object.values(swept).every((count) => count === 0)) return;
  log('info', 'retention sweep done', swept);
}

async function deleteOldAudit(
  { audit }: Pick<Deps['store'], 'audit'>,
  now: string,
  { audit_retention_days: days }: RetentionOptions,
): Promise<number> {
  return days === 0 ? 0 : audit.deleteBefore(addMs(now, -days * dayMs));
}

async function deleteExpiredMemories(
  deps: Deps,
  { expired_retention_days: days }: RetentionOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (days === 0) return 0;
  const { clock, timezone = 'UTC' } = deps;
  const before = dayInZone(addMs(clock.now(), -days * dayMs), timezone);
  let deleted = 0;
  for (const project of await deps.store.memories.listProjectsWithExpired(before)) {
    deleted += await inBatchesOf(memoriesAtOnce, signal, (limit) =>
      deleteExpired(deps, project, { before, limit }),
    );
  }
  return deleted;
}

async function deleteOldVersions(
  { store, clock }: Deps,
  { history_days: days }: RetentionOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (days === 0) return 0;
  const keptSince = addMs(clock.now(), -days * dayMs);
  return inBatchesOf(versionsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.versions.deleteEndedBefore(keptSince, limit)),
  );
}

async function deleteOldExports(
  { store, clock }: Deps,
  { export_retention_days: days }: RetentionOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (days === 0) return 0;
  const keptSince = addMs(clock.now(), -days * dayMs);
  return inBatchesOf(exportsAtOnce, signal, (limit) =>
    store.transaction((tables) => tables.exports.deleteSettledBefore(keptSince, limit)),
  );
}

const eventsAtOnce = 1000;
const memoriesAtOnce = 200;
const versionsAtOnce = 1000;

/** Few at once: one export may be as long as thousands of events. */
const exportsAtOnce = 20;

/** Ends early when the process stops: the next sweep goes on. */
async function inBatchesOf(
  size: number,
  signal: AbortSignal | undefined,
  forget: (limit: number) => Promise<number>,
): Promise<number> {
  for (let forgotten = 0; ; ) {
    const count = await forget(size);
    forgotten += count;
    if (count < size || signal?.aborted) return forgotten;
    await yieldToWriters();
  }
}
