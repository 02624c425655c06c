import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import type { Output } from '../contract/index.ts';
import type { Call } from './request.ts';
import { selectTools } from './tool.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Polls start close together, for the embedded engine, and spread out, for a remote one. */
const firstPollMs = 5;
const longestPollMs = 200;

/**
 * Waits for the event of a write that answered PENDING, so that the model learns what was stored.
 * Answers of other operations pass through.
 */
export async function addAndWait(call: Call, answer: Answer): Promise<Answer> {
  const { event_id, status } = answer;
  if (typeof event_id !== 'string' || status !== 'PENDING') return answer;
  const event = await settle(call, event_id);
  if (event === null) return { ...answer, message: pendingMessage(call, event_id) };
  const { results } = event;
  return { message: endMessage(event), status: event.status, event_id, results };
}

function endMessage({ status, error, results }: Output<'get_event'>): string {
  if (status === 'FAILED') {
    const stored = results.length === 0 ? 'Nothing' : 'Only a part';
    return `${stored} was stored: ${error ?? 'processing failed'}`;
  }
  return results.length === 0 ? 'Nothing worth remembering was found' : 'Done';
}

/** The event once it has ended; null when it takes longer than `add_wait_ms`. */
async function settle(call: Call, event_id: string): Promise<Output<'get_event'> | null> {
  const { options, signal, parsed } = call;
  const { org_id, project_id } = parsed;
  const started = options.now();
  let waited = 0;
  for (let pause = firstPollMs; ; pause = Math.min(pause * 2, longestPollMs)) {
    const left = options.add_wait_ms - Math.max(waited, options.now() - started);
    if (left <= 0) return null;
    await sleep(Math.min(pause, left), undefined, { signal });
    waited += pause;
    const input = { event_id, org_id, project_id };
    const event = await options
      .invoke('get_event', input, { caller: options.caller, signal })
      .catch(noneToAsk);
    if (event === null || event.status === 'SUCCEEDED' || event.status === 'FAILED') return event;
  }
}

/** It was accepted, and stays so when a remote can't be asked what became of it. */
function noneToAsk(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

function pendingMessage({ options }: Call, event_id: string): string {
  const accepted = 'Accepted; still being processed.';
  return selectTools(options).includes('get_event')
    ? `${accepted} Call get_event with event_id "${event_id}" to see what was stored.`
    : `${accepted} What it stores can be found by a search soon.`;
}
