import { setTimeout as sleep } from 'node:timers/promises';
import type { Semantics } from '../../app/semantics.ts';
import { createApp } from '../../app.ts';
import { ApiError } from '../../contract/errors.ts';
import { tell } from '../../log.ts';
import { counted, isJson } from '../answer.ts';
import type { RunCommand } from '../commands.ts';
import { localConfigOf, logOf } from '../configured.ts';
import { printJson } from '../output.ts';
import { createProgress } from '../progress.ts';

/** Waits while this process, or another one on the store, embeds what is left. */
export const run: RunCommand = async ({ flags, positionals }) => {
  if (positionals.length > 0) throw new ApiError('invalid', `unexpected ${positionals.join(' ')}`);
  const loaded = await localConfigOf({ flags }, 'reindex');
  const app = createApp(loaded.values, { log: logOf(loaded) });
  try {
    const { semantics } = await app.open();
    if (semantics === null) {
      throw new ApiError('invalid', 'no embedding model is configured', {
        next: 'Set embedder_url and embedder_model, or local_embedder.',
      });
    }
    semantics.warm();
    if (flags.all) await semantics.restart();
    const total = await embedAll(semantics);
    const { model } = semantics;
    if (isJson(flags)) printJson({ memories: total, model });
    else tell(`embedded ${counted(total, 'memory', 'memories')} with ${model}`);
    return 0;
  } finally {
    await app.close();
  }
};

async function embedAll(semantics: Semantics): Promise<number> {
  const tellProgress = createProgress();
  for (;;) {
    const progress = await semantics.progress();
    // Searches of the next process may not find it half done.
    if (progress?.pending === 0 && (await semantics.isComplete())) return progress.total;
    const problem = semantics.problem();
    if (problem !== null) {
      throw new ApiError('unavailable', problem, {
        next: 'What has been embedded stays; run it again when the model answers.',
      });
    }
    const loading = semantics.loading();
    if (loading !== null) tellProgress(() => loading);
    else if (progress !== null) {
      const { pending, total } = progress;
      tellProgress(() => `${total - pending} of ${total} memories are embedded`);
    }
    await sleep(lookEveryMs);
  }
}

const lookEveryMs = 100;
