import { setTimeout as sleep } from 'node:timers/promises';
import type { Embedder } from '../../../core/ports/index.ts';
import { createLocalModel, type LocalModelOptions } from './local-model.ts';
import { localVectorName } from './vector-name.ts';

/** Few enough for a slow model to finish within a lease and to report progress. */
const textsPerRequest = 32;

/** Delayed, so that a short command that adds does not load a model; a later process embeds. */
const loadDelayMs = 500;

/** An embedding model that runs on this machine. */
export function createLocalEmbedder(
  options: LocalModelOptions,
): Embedder & Required<Pick<Embedder, 'preload' | 'loadingProgress' | 'batchSize'>> {
  const model = createLocalModel(options);
  let isWanted = false;
  return {
    name: localVectorName(options.settings),
    batchSize: textsPerRequest,
    preload: () => {
      isWanted = true;
      model.warm();
    },
    loadingProgress: model.loading,
    embed: async (texts, { purpose, signal }) => {
      if (purpose === 'memory' && !isWanted) {
        await sleep(loadDelayMs, undefined, { ...(signal && { signal }), ref: false });
      }
      isWanted = true;
      const vectors: Float32Array[] = [];
      for (let first = 0; first < texts.length; first += textsPerRequest) {
        const some = texts.slice(first, first + textsPerRequest);
        const answer = await model.request({ task: 'embed', texts: some, purpose }, signal);
        vectors.push(...(answer as Float32Array[])); // the result of `embed`
      }
      return vectors;
    },
    close: model.close,
  };
}
