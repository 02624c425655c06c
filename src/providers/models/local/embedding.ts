import { toUnit } from '../unit-vector.ts';
import type { Model } from './answering.ts';
import { compute, inBatches, type Loaded, rowsOf, type Tokens, tokensOf } from './batches.ts';
import type { Manner } from './known-models.ts';
import type { ModelSettings, Pooling } from './protocol.ts';
import type { Tensor } from './runtime.ts';

type Options = Pick<ModelSettings, 'pooling' | 'dimensions'> & { manner: Manner };

/** A network that makes a vector of each token, or one of all. */
export function createEmbedding(loaded: Loaded, options: Options): Model {
  return {
    *answer(ask) {
      if (ask.task !== 'embed') throw new Error('this model embeds');
      const prefix = options.manner.prefixes[ask.purpose];
      const texts = ask.texts.map((text) => prefix + text);
      const vectors = new Array<Float32Array>(texts.length);
      for (const batch of inBatches(tokensOf(loaded, texts))) {
        yield compute(loaded, batch).then((outputs) => {
          const made = pooled(outputs, batch, options);
          batch.forEach(({ at }, index) => {
            vectors[at] = finished(made[index], options);
          });
        });
      }
      return vectors;
    },
  };
}

type Outputs = Record<string, Tensor | undefined>;

/** A network that pools by itself knows best, unless it is told otherwise. */
function pooled(outputs: Outputs, batch: readonly Tokens[], options: Options): Float32Array[] {
  const whole = outputs['sentence_embedding'];
  if (whole !== undefined && options.pooling === null) {
    return batch.map((_, index) => rowsOf(whole).row(index));
  }
  const tokens = outputs['last_hidden_state'] ?? outputs['token_embeddings'];
  if (tokens === undefined) {
    throw new Error(`an embedding model has no such outputs: ${Object.keys(outputs).join(', ')}`);
  }
  const { row, size } = rowsOf(tokens);
  const width = tokens.dims[1] ?? 0;
  return batch.map(({ ids }, index) => {
    const vectorAt = (place: number) => row(index * width + place);
    return pool(options.manner.pooling, { vectorAt, count: ids.length, size });
  });
}

type Vectors = { vectorAt(place: number): Float32Array; count: number; size: number };

function pool(pooling: Pooling, { vectorAt, count, size }: Vectors): Float32Array {
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

function finished(vector: Float32Array | undefined, { dimensions }: Options): Float32Array {
  const whole = vector ?? new Float32Array();
  if (whole.length === 0 || !whole.every(Number.isFinite)) throw new Error('no vector was made');
  if (dimensions !== null && dimensions > whole.length) {
    throw new Error(`its vectors have ${whole.length} dimensions: embedder_dimensions is too many`);
  }
  // A copy: a part of a larger buffer would take all of it along.
  return toUnit(Float32Array.from(whole.subarray(0, dimensions ?? whole.length)));
}
