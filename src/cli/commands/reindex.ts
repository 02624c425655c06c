import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../app/create-app.ts';
import type { SemanticSearch } from '../../app/semantic-search.ts';
import { ApiError } from '../../contract/errors.ts';
import { printToStderr } from '../../log.ts';
import type { RunCommand } from '../command-line/command-table.ts';
import { formatCount, wantsJsonOutput } from '../command-line/read-arguments.ts';
import { createCommandLog, loadLocalConfig } from '../context/command-config.ts';
import { printJson } from '../io/output.ts';
import { createProgressReporter } from '../io/progress.ts';

/** Waits until this process, or another one on the store, has embedded all memories. */
export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) throw new ApiError('invalid', `unexpected ${positionals.join(' ')}`);
  const loaded = await loadLocalConfig({ flags }, 'reindex');
  const app = createApp(loaded.values, { log: createCommandLog(loaded) });
  try {
    const { semanticSearch } = await app.open();
    if (semanticSearch === null) {
      throw new ApiError('invalid', 'no embedding model is configured', {
        next: 'Set embedder_url and embedder_model, or local_embedder.',
      });
    }
    semanticSearch.preload();
    if (flags.all) await semanticSearch.restart();
    const total = await embedAll(semanticSearch);
    const { model } = semanticSearch;
    if (wantsJsonOutput(flags)) printJson({ memories: total, model });
    else printToStderr(`embedded ${formatCount(total, 'memory', 'memories')} with ${model}`);
    return 0;
  } finally {
    await app.close();
  }
};

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
