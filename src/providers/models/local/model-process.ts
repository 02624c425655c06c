// A process of its own for each model: computing keeps a thread busy for a second at a time, and
// native code that fails, or that is ended while it computes, takes its process along.
import { createAnswering } from './answering.ts';
import { loadModel } from './load.ts';
import type { FromModel, ModelSettings, ToModel } from './protocol.ts';
import { reasonOf } from './reason.ts';

const tell = (message: FromModel) => void process.send?.(message);

/** What is asked while the model is being loaded waits for it. */
let answering: Promise<ReturnType<typeof createAnswering>> | null = null;

process.on('message', async (message: ToModel) => {
  if ('load' in message) answering = load(message.load);
  const ready = await answering;
  if ('ask' in message) ready?.add(message.id, message.ask);
  if ('cancel' in message) ready?.cancel(message.cancel);
});

// Who asked is gone, however it ended.
process.once('disconnect', () => process.exit(0));

async function load(settings: ModelSettings) {
  try {
    const model = await loadModel(settings, (loading) => tell({ loading }));
    tell({ loaded: { threads: settings.threads } });
    return createAnswering(model, tell);
  } catch (error) {
    const failed = reasonOf(error, settings);
    // Leaves when that has been said; nobody is answered any more.
    process.send?.({ failed } satisfies FromModel, () => process.exit(1));
    return new Promise<never>(() => {});
  }
}
