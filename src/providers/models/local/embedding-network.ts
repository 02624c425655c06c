import { normalizeVector } from '../normalize-vector.ts';
import type { EmbeddingConventions } from './embedding-conventions.ts';
import {
  batchByLength,
  type LoadedNetwork,
  runNetwork,
  type TokenizedText,
  tensorRows,
  tokenize,
} from './inference.ts';
import type { ModelSettings, Pooling } from './process-messages.ts';
import type { StepwiseModel } from './request-queue.ts';
import type { Tensor } from './transformers-runtime.ts';

type EmbeddingNetworkOptions = Pick<ModelSettings, 'pooling' | 'dimensions'> & {
  conventions: EmbeddingConventions;
};

/** A network that returns a vector for each token, or one for the whole text. */
export function createEmbeddingNetwork(
  loaded: LoadedNetwork,
  options: EmbeddingNetworkOptions,
): StepwiseModel {
  return {
    *run(ask) {
      if (ask.task !== 'embed') throw new Error('this model embeds');
      const prefix = options.conventions.prefixes[ask.purpose];
      const texts = ask.texts.map((text) => prefix + text);
      const vectors = new Array<Float32Array>(texts.length);
      for (const batch of batchByLength(tokenize(loaded, texts))) {
        yield runNetwork(loaded, batch).then((outputs) => {
          const pooled = poolOutputs(outputs, batch, options);
          batch.forEach(({ at }, index) => {
            vectors[at] = finishVector(pooled[index], options);
          });
        });
      }
      return vectors;
    },
  };
}

type NetworkOutputs = Record<string, Tensor | undefined>;

/** A network's own pooling is used unless local_pooling is set. */
function poolOutputs(
  outputs: NetworkOutputs,
  batch: readonly TokenizedText[],
  options: EmbeddingNetworkOptions,
): Float32Array[] {
  const whole = outputs['sentence_embedding'];
  if (whole !== undefined && options.pooling === null) {
    return batch.map((_, index) => tensorRows(whole).row(index));
  }
  const tokens = outputs['last_hidden_state'] ?? outputs['token_embeddings'];
  if (tokens === undefined) {
    throw new Error(
      `these are not outputs of an embedding model: ${Object.keys(outputs).join(', ')}`,
    );
  }
  const { row, size } = tensorRows(tokens);
  const width = tokens.dims[1] ?? 0;
  return batch.map(({ ids }, index) => {
    const vectorAt = (place: number) => row(index * width + place);
    return poolVectors(options.conventions.pooling, { vectorAt, count: ids.length, size });
  });
}

type TokenVectors = { vectorAt(place: number): Float32Array; count: number; size: number };

function poolVectors(pooling: Pooling, { vectorAt, count, size }: TokenVectors): Float32Array {
  if (pooling === 'cls') return vectorAt(0);
  if (pooling === 'last') return vectorAt(count - 1);
  const sum = new Float32Array(size);
  for (let place = 0; place < count; place += 1) {
    const vector = vectorAt(place);
    for (let index = 0; index < size; index += 1)
      sum[index] = (sum[index] ?? 0) + (vector[index] ?? 0);
  }
  return sum; // its length does not matter
}

function finishVector(
  vector: Float32Array | undefined,
  { dimensions }: EmbeddingNetworkOptions,
): Float32Array {
  const whole = vector ?? new Float32Array();
  if (whole.length === 0 || !whole.every(Number.isFinite))
    throw new Error('the model returned no vector');
  if (dimensions !== null && dimensions > whole.length) {
    throw new Error(
      `its vectors have ${whole.length} dimensions: embedder_dimensions is too large`,
    );
  }
  // A copy, because a view would keep the whole buffer alive.
  return normalizeVector(Float32Array.from(whole.subarray(0, dimensions ?? whole.length)));
}
