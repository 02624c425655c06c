// A process of its own for each model: computing keeps a thread busy for a second at a time, and
// native code that fails, or that is ended while it computes, takes its process along.

import { loadFailureReason } from './load-failure.ts';
import { loadModel } from './load-model.ts';
import type { FromModelProcess, ModelSettings, ToModelProcess } from './process-messages.ts';
import { createRequestQueue } from './request-queue.ts';

const sendToParent = (message: FromModelProcess) => void process.send?.(message);

/** What is asked while the model is being loaded waits for it. */
let queueReady: Promise<ReturnType<typeof createRequestQueue>> | null = null;

process.on('message', async (message: ToModelProcess) => {
  if ('load' in message) queueReady = loadQueue(message.load);
  const ready = await queueReady;
  if ('ask' in message) ready?.add(message.id, message.ask);
  if ('cancel' in message) ready?.cancel(message.cancel);
});

// Who asked is gone, however it ended.
process.once('disconnect', () => process.exit(0));

async function loadQueue(settings: ModelSettings) {
  try {
    const model = await loadModel(settings, (loading) => sendToParent({ loading }));
    sendToParent({ loaded: { threads: settings.threads } });
    return createRequestQueue(model, sendToParent);
  } catch (error) {
    const failed = loadFailureReason(error, settings);
    // Leaves when that has been said; nobody is answered any more.
    process.send?.({ failed } satisfies FromModelProcess, () => process.exit(1));
    return new Promise<never>(() => {});
  }
}
