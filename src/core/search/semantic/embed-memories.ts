import { reasonOf } from '../../../contract/errors.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import { dayMs } from '../../../contract/wall-clock.ts';
import type { Deps, Embedder, EmbeddingModel, UnembeddedMemory } from '../../ports/index.ts';
import { addMs } from '../../queue/add-ms.ts';
import { createWorkerPool, type Worker } from '../../queue/worker-pool.ts';
import { calibrateScale } from './vector-scale.ts';

export type EmbeddingWorker = Worker & {
  /** Why the last attempt failed; null when it did not. */
  lastError(): string | null;
};

type EmbeddingWorkerOptions = {
  embedder: Embedder;
  owner: string;
  lease_ms: number;
  /** The store makes the vectors of new texts itself: only older memories are left to embed. */
  isInline?: boolean;
};
type EmbeddingDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/**
 * Gives each memory its vector later, so that adds do not wait for a model. One process on the
 * store embeds at a time, also what other processes have added.
 */
export function createEmbeddingWorker(
  deps: EmbeddingDeps,
  options: EmbeddingWorkerOptions,
): EmbeddingWorker {
  const { clock, log } = deps;
  const failure = { times: 0, reason: null as string | null, until: '' };
  let leasedModel: EmbeddingModel | null = null;
  let idleUntil = '';

  const carefully = (stopping: AbortSignal, run: () => Promise<void>) => async () => {
    try {
      await run();
      Object.assign(failure, { times: 0, reason: null, until: '' });
    } catch (error) {
      if (stopping.aborted) return;
      const reason = reasonOf(error);
      const pauseMs = Math.min(pauseMaxMs, pauseMinMs * 2 ** failure.times);
      const until = addMs(clock.now(), pauseMs);
      Object.assign(failure, { times: failure.times + 1, reason, until });
      log('warn', 'embedding of memories failed', { error: reason, again_at: until });
    }
  };
  const lanes = createWorkerPool({
    name: 'embedding',
    concurrency: 1,
    log,
    claim: async (stopping) => {
      if (clock.now() < failure.until || clock.now() < idleUntil) return null;
      const model = await deps.store.vectors.findModel(options.embedder.name);
      if (model === null) return carefully(stopping, () => openModel(deps, options, stopping));
      if (!(await hasUnembedded(deps, model, options))) {
        if (options.isInline) idleUntil = addMs(clock.now(), inlineRestMs);
        return null;
      }
      if (!(await claimModel(deps, model, options))) return null;
      leasedModel = model;
      return carefully(stopping, () => embedBatch(deps, model, { ...options, stopping }));
    },
  });

  return {
    wake: lanes.wake,
    lastError: () => failure.reason,
    stop: async () => {
      await lanes.stop();
      if (leasedModel !== null)
        await deps.store.vectors.releaseLease(leasedModel, options.owner).catch(() => {});
    },
  };
}

/** How often the store is searched for memories of processes that do not make vectors. */
const inlineRestMs = 60_000;

async function hasUnembedded(
  deps: EmbeddingDeps,
  model: EmbeddingModel,
  { isInline = false }: EmbeddingWorkerOptions,
): Promise<boolean> {
  const { vectors } = deps.store;
  if (isInline && (await vectors.getProgress(model)).pending > 0) await vectors.skipEmbedded(model);
  const memories = await vectors.listUnembedded(model, 1);
  if (memories?.length === 0) await completeModelOnce(deps, model);
  return memories !== null && memories.length > 0;
}

/** An embedder that stays away is tried about once a minute. */
const pauseMinMs = 1_000;
const pauseMaxMs = 60_000;

/** Few enough for a slow model to finish well within a lease. */
const memoriesAtOnce = 128;

/** Vectors of a model that has not been used for this long are deleted. */
const unusedMaxMs = 7 * dayMs;
const vectorsAtOnce = 500;

async function openModel(
  { store, clock, log }: EmbeddingDeps,
  { embedder }: EmbeddingWorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const calibration = await calibrateScale(embedder, signal);
  const model = await store.vectors.openModel({ name: embedder.name, ...calibration }, clock.now());
  const { name, dimension, scale } = model;
  log('info', 'embedding of memories started', { model: name, dimension, ...scale });
}

function claimModel(
  { store, clock }: EmbeddingDeps,
  model: EmbeddingModel,
  { owner, lease_ms }: EmbeddingWorkerOptions,
) {
  const now = clock.now();
  return store.vectors.acquireLease(model, { owner, now, until: addMs(now, lease_ms) });
}

async function embedBatch(
  deps: EmbeddingDeps,
  model: EmbeddingModel,
  { stopping: signal, ...options }: EmbeddingWorkerOptions & { stopping: AbortSignal },
): Promise<void> {
  const { batchSize = memoriesAtOnce } = options.embedder;
  const memories = await deps.store.vectors.listUnembedded(model, batchSize);
  if (memories === null || memories.length === 0) return;
  const texts = memories.map(({ memory }) => memory);
  const vectors = await options.embedder.embed(texts, { purpose: 'memory', signal });
  const isOther = vectors.some((vector) => vector !== null && vector.length !== model.dimension);
  // The name now stands for another model.
  if (isOther) return openModel(deps, options, signal);
  await deps.store.vectors.put(
    model,
    memories.map((one, index) => ({ ...withoutText(one), vector: vectors[index] ?? null })),
  );
}

function withoutText({
  memory: _,
  ...unembedded
}: UnembeddedMemory): StrictOmit<UnembeddedMemory, 'memory'> {
  return unembedded;
}

/** Marks the model as complete: all memories have been embedded. */
async function completeModelOnce(
  { store, clock }: EmbeddingDeps,
  model: EmbeddingModel,
): Promise<void> {
  if (model.complete) return;
  await store.vectors.markModelComplete(model);
  const unusedSince = addMs(clock.now(), -unusedMaxMs);
  while ((await store.vectors.deleteUnusedVectors(unusedSince, vectorsAtOnce)) > 0);
}
