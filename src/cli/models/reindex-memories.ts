import { setTimeout as sleep } from 'node:timers/promises';
import type { SemanticSearch } from '../../app/models/semantic-search.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { ApiError } from '../../contract/errors.ts';
import { withApp } from '../context/with-app.ts';
import { createProgressReporter } from '../io/progress.ts';

/**
 * Waits until this process, or another one on the store, has embedded all memories; with `all`,
 * those with a vector too. Reports progress on stderr.
 */
export async function reindexMemories(
  loaded: LoadedConfig,
  { all = false }: { all?: boolean } = {},
): Promise<{ memories: number; model: string }> {
  return withApp(loaded, async (app) => {
    const { store, semanticSearch } = await app.open();
    if (!store.supportsVectors) {
      throw new ApiError('unavailable', 'the database holds no vectors: pgvector is missing');
    }
    if (semanticSearch === null) {
      throw noModelError(loaded);
    }
    semanticSearch.preload();
    if (all) await semanticSearch.restart();
    const memories = await embedAll(semanticSearch);
    return { memories, model: semanticSearch.model };
  });
}

function noModelError({ values, sources }: LoadedConfig): ApiError {
  const next = 'run mneme models use NAME, or set embedder_url and embedder_model.';
  const what = 'no embedding model is configured';
  if (values.static_embedder) {
    const problem = `${what}, and the tables of the package cannot be read`;
    return new ApiError('invalid', problem, { next: `Install mneme again, or ${next}` });
  }
  const problem = `${what}, and static_embedder is false (${sources.static_embedder})`;
  const unset = 'Set static_embedder to true to use the tables of the package';
  return new ApiError('invalid', problem, { next: `${unset}, or ${next}` });
}

async function embedAll(semantics: SemanticSearch): Promise<number> {
  const reportProgress = createProgressReporter();
  for (;;) {
    const progress = await semantics.progress();
    // The next process must not find the vectors half done.
    if (progress?.pending === 0 && (await semantics.isComplete())) return progress.total;
    const problem = semantics.problem();
    if (problem !== null) {
      throw new ApiError('unavailable', problem, {
        next: 'The vectors so far are kept; run it again when the model works.',
      });
    }
    const loading = semantics.loading();
    if (loading !== null) reportProgress(() => loading);
    else if (progress !== null) {
      const { pending, total } = progress;
      reportProgress(() => `${total - pending} of ${total} memories are embedded`);
    }
    await sleep(pollMs);
  }
}

const pollMs = 100;
