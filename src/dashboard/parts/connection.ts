import { signal } from '@preact/signals';

/** What every view says while no answer arrives. */
export const noAnswer = 'The server does not answer. Is `mneme serve` still running?';

const retryMs = 3_000;

/** False after a request that got no answer, until one gets an answer again. */
export const isReachable = signal(true);

/** How often the server has come back; a view that failed meanwhile reads again. */
export const reconnects = signal(0);

/** Sends a request, and notes whether the server answers at all. */
export async function fetchNoting(url: string | URL | Request, init: RequestInit) {
  try {
    const response = await fetch(url, init);
    noteAnswer();
    return response;
  } catch (error) {
    // A view that closes ends its requests itself.
    if (init.signal?.aborted !== true) noteSilence();
    throw error;
  }
}

/** Asks whether the server is there again. */
export async function lookAgain(): Promise<void> {
  await fetchNoting('/healthz', { cache: 'no-store' }).catch(() => {}); // the banner stays then
}

function noteAnswer(): void {
  if (isReachable.value) return;
  isReachable.value = true;
  reconnects.value += 1;
}

function noteSilence(): void {
  if (!isReachable.value) return;
  isReachable.value = false;
  scheduleLook();
}

function scheduleLook(): void {
  setTimeout(async () => {
    if (document.visibilityState === 'visible') await lookAgain();
    if (!isReachable.value) scheduleLook();
  }, retryMs);
}
