import { reasonOf } from '../../../contract/errors.ts';
import type {
  Deps,
  Embedder,
  EmbeddingModel,
  EmbeddingUnavailable,
  QueryEmbedder,
} from '../../ports/index.ts';

type QueryEmbedderOptions = {
  embedder: Embedder;
  /** How long a search waits for the vector of its question. */
  search_timeout_ms: number;
  /** Why memories can't be embedded; null while they can. */
  problem?: () => string | null;
};

/**
 * After a failure, searches use words alone for this long, so that they do not wait for a model
 * that is away.
 */
const cooldownMs = 10_000;

/** Repeated questions do not need the model: agents ask them again, and so does paging. */
const cachedQueriesMax = 200;

export function createQueryEmbedder(
  { store, clock, log }: Pick<Deps, 'store' | 'clock' | 'log'>,
  { embedder, search_timeout_ms, problem = () => null }: QueryEmbedderOptions,
): QueryEmbedder {
  const cachedVectors = new Map<string, Float32Array>();
  const cooldown = createCooldown({ clock, log });

  const vectorOf = async (question: string, signal?: AbortSignal): Promise<Float32Array | null> => {
    const cachedVector = cachedVectors.get(question);
    if (cachedVector !== undefined) return cachedVector;
    const timeout = AbortSignal.timeout(search_timeout_ms);
    const stopSignal = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const [vector] = await embedder.embed([question], { purpose: 'question', signal: stopSignal });
    if (vector == null) return null;
    if (cachedVectors.size >= cachedQueriesMax)
      cachedVectors.delete([...cachedVectors.keys()][0] ?? '');
    cachedVectors.set(question, vector);
    return vector;
  };

  const answerOf = async (model: EmbeddingModel, question: string, signal?: AbortSignal) => {
    try {
      const vector = await vectorOf(question, signal);
      if (vector === null) return { warning: 'The embedding model rejects this question.' };
      return vector.length === model.dimension ? { vector } : { warning: embeddingInProgress };
    } catch (error) {
      return cooldown.begin(error, signal);
    }
  };

  return {
    startEmbedding: async (question, signal) => {
      if (cooldown.isOn()) return { warning: modelAway };
      try {
        const model = await store.vectors.findModel(embedder.name);
        if (model === null || !model.complete) {
          const warning =
            problem() === null ? await progressWarning(store, model) : modelUnavailable;
          return { warning };
        }
        const embedding = answerOf(model, question, signal);
        embedding.catch(() => {}); // the caller who awaits it gets the failure
        return { model, embedding };
      } catch (error) {
        return cooldown.begin(error, signal);
      }
    },
  };
}

/**
 * Pauses a model after it failed. A cancelled question says nothing about the model, so it does not
 * start the pause.
 */
function createCooldown({ clock, log }: Pick<Deps, 'clock' | 'log'>) {
  let until = 0;
  return {
    isOn: () => Date.parse(clock.now()) < until,
    begin: (error: unknown, signal: AbortSignal | undefined): EmbeddingUnavailable => {
      if (signal?.aborted) throw error;
      until = Date.parse(clock.now()) + cooldownMs;
      log('warn', 'embedding model unavailable: search matched words only', {
        error: reasonOf(error),
      });
      return { warning: modelAway };
    },
  };
}

const modelAway = 'The embedding model does not respond: only words were matched.';
const modelUnavailable =
  'The embedding model cannot be loaded (mneme doctor says why): only words were matched.';
const embeddingInProgress = 'Memories are not embedded yet: only words were matched.';

async function progressWarning(
  store: Deps['store'],
  model: EmbeddingModel | null,
): Promise<string> {
  if (model === null) return embeddingInProgress;
  const { pending, total } = await store.vectors.getProgress(model);
  return `${total - pending} of ${total} memories are embedded: only words were matched.`;
}
