// Each model has its own process: computing blocks a thread for a second at a time, and native code
// that fails or is stopped while it computes takes its process down.

import { loadFailureReason } from './load-failure.ts';
import { loadModel } from './load-model.ts';
import type { FromModelProcess, ModelSettings, ToModelProcess } from './process-messages.ts';
import { createRequestQueue } from './request-queue.ts';

const sendToParent = (message: FromModelProcess) => void process.send?.(message);

/** Requests during loading wait for it. */
let queueReady: Promise<ReturnType<typeof createRequestQueue>> | null = null;

process.on('message', async (message: ToModelProcess) => {
  if ('load' in message) queueReady = loadQueue(message.load);
  const ready = await queueReady;
  if ('ask' in message) ready?.add(message.id, message.ask);
  if ('cancel' in message) ready?.cancel(message.cancel);
});

// The parent process has ended.
process.once('disconnect', () => process.exit(0));

async function loadQueue(settings: ModelSettings) {
  try {
    const model = await loadModel(settings, (loading) => sendToParent({ loading }));
    sendToParent({ loaded: { threads: settings.threads } });
    return createRequestQueue(model, sendToParent);
  } catch (error) {
    const failed = loadFailureReason(error, settings);
    // Exits after that was sent; later requests get no response.
    process.send?.({ failed } satisfies FromModelProcess, () => process.exit(1));
    return new Promise<never>(() => {});
  }
}
