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
  /** The store makes vectors of new texts itself: only what it had before is left to do. */
  isInline?: boolean;
};
type EmbeddingDeps = Pick<Deps, 'store' | 'clock' | 'log'>;

/**
 * Gives each memory its vector after the fact: nothing that is added waits for a model. Of several
 * processes on the store one embeds at a time; it takes over what others have added, too.
 */
export function createEmbeddingWorker(
  deps: EmbeddingDeps,
  options: EmbeddingWorkerOptions,
): EmbeddingWorker {
  const { clock, log } = deps;
  const failed = { times: 0, reason: null as string | null, until: '' };
  let held: EmbeddingModel | null = null;
  let restUntil = '';

  const carefully = (stopping: AbortSignal, run: () => Promise<void>) => async () => {
    try {
      await run();
      Object.assign(failed, { times: 0, reason: null, until: '' });
    } catch (error) {
      if (stopping.aborted) return;
      const reason = reasonOf(error);
      const pauseMs = Math.min(pauseMaxMs, pauseMinMs * 2 ** failed.times);
      const until = addMs(clock.now(), pauseMs);
      Object.assign(failed, { times: failed.times + 1, reason, until });
      log('warn', 'embedding of memories failed', { error: reason, again_at: until });
    }
  };
  const lanes = createWorkerPool({
    name: 'embedding',
    concurrency: 1,
    log,
    claim: async (stopping) => {
      if (clock.now() < failed.until || clock.now() < restUntil) return null;
      const model = await deps.store.vectors.findModel(options.embedder.name);
      if (model === null)
        return carefully(stopping, () => openStoredModel(deps, options, stopping));
      if (!(await hasUnembedded(deps, model, options))) {
        if (options.isInline) restUntil = addMs(clock.now(), inlineRestMs);
        return null;
      }
      if (!(await claimModel(deps, model, options))) return null;
      held = model;
      return carefully(stopping, () => embedBatch(deps, model, { ...options, stopping }));
    },
  });

  return {
    wake: lanes.wake,
    lastError: () => failed.reason,
    stop: async () => {
      await lanes.stop();
      if (held !== null) await deps.store.vectors.releaseLease(held, options.owner).catch(() => {});
    },
  };
}

/** How often the store is searched for memories of processes that make no vectors. */
const inlineRestMs = 60_000;

async function hasUnembedded(
  deps: EmbeddingDeps,
  model: EmbeddingModel,
  { isInline = false }: EmbeddingWorkerOptions,
): Promise<boolean> {
  const { vectors } = deps.store;
  if (isInline && (await vectors.getProgress(model)).pending > 0) await vectors.skipEmbedded(model);
  const some = await vectors.listUnembedded(model, 1);
  if (some?.length === 0) await completeModelOnce(deps, model);
  return some !== null && some.length > 0;
}

/** What is away for long is asked for about once a minute. */
const pauseMinMs = 1_000;
const pauseMaxMs = 60_000;

/** Few enough that a slow model is done with them well within a lease. */
const memoriesAtOnce = 128;

/** Vectors of a model that nobody has used for so long are deleted. */
const unusedMaxMs = 7 * dayMs;
const vectorsAtOnce = 500;

async function openStoredModel(
  { store, clock, log }: EmbeddingDeps,
  { embedder }: EmbeddingWorkerOptions,
  signal: AbortSignal,
): Promise<void> {
  const measured = await calibrateScale(embedder, signal);
  const model = await store.vectors.openModel({ name: embedder.name, ...measured }, clock.now());
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
  const wanted = await deps.store.vectors.listUnembedded(model, batchSize);
  if (wanted === null || wanted.length === 0) return;
  const texts = wanted.map(({ memory }) => memory);
  const vectors = await options.embedder.embed(texts, { purpose: 'memory', signal });
  const isOther = vectors.some((vector) => vector !== null && vector.length !== model.dimension);
  // The model behind this name is another one now.
  if (isOther) return openStoredModel(deps, options, signal);
  await deps.store.vectors.put(
    model,
    wanted.map((one, index) => ({ ...withoutText(one), vector: vectors[index] ?? null })),
  );
}

function withoutText({
  memory: _,
  ...rest
}: UnembeddedMemory): StrictOmit<UnembeddedMemory, 'memory'> {
  return rest;
}

/** All that there is has been embedded. */
async function completeModelOnce(
  { store, clock }: EmbeddingDeps,
  model: EmbeddingModel,
): Promise<void> {
  if (model.complete) return;
  await store.vectors.markModelComplete(model);
  const unusedSince = addMs(clock.now(), -unusedMaxMs);
  while ((await store.vectors.deleteUnusedVectors(unusedSince, vectorsAtOnce)) > 0);
}
