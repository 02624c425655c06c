import { ApiError } from '../contract/errors.ts';
import { outcomeMessage } from '../contract/event-outcome.ts';
import { isObject } from '../contract/is-object.ts';
import type { OperationName, Output } from '../contract.ts';
import { sleep, withDeadline } from './deadline.ts';
import type { HttpInvoke } from './http-invoke-type.ts';
import type { Event } from './operations.ts';

/** The first pause between two looks at an event; each further one is twice as long. */
const pollIntervalMs = 25;
const pollIntervalMaxMs = 1_000;

/**
 * Polls an event until it has succeeded or failed, and returns it. `onOpen` receives its status
 * each time it has not. Throws the reason of the signal.
 */
export async function pollEvent(
  find: () => Promise<Event>,
  { signal, onOpen }: { signal: AbortSignal; onOpen?: (status: Event['status']) => void },
): Promise<Event> {
  for (let pause = pollIntervalMs; ; pause = Math.min(2 * pause, pollIntervalMaxMs)) {
    const event = await find();
    if (event.status === 'SUCCEEDED' || event.status === 'FAILED') return event;
    onOpen?.(event.status);
    await sleep(pause, signal);
  }
}

/** Waits up to `wait_ms` for a PENDING write to complete in the background. */
export function waitForWrites({ now }: { now: () => number }, invoke: HttpInvoke): HttpInvoke {
  return async <N extends OperationName>(
    name: N,
    input: unknown,
    { wait_ms = 0, ...options }: Parameters<HttpInvoke>[2] = {},
  ): Promise<Output<N>> => {
    const answer = await invoke(name, input, options);
    if (wait_ms === 0 || !isPending(answer)) return answer;
    const { org_id, project_id } = isObject(input) ? input : {};
    const look = { event_id: answer.event_id, org_id, project_id };
    return withDeadline({ timeout_ms: wait_ms, now }, options.signal, async (deadline) => {
      const find = () => invoke('get_event', look, { signal: deadline.signal }) as Promise<Event>;
      try {
        const event = await pollEvent(find, deadline);
        const { status, results } = event;
        return { ...answer, message: outcomeMessage(event), status, results };
      } catch (error) {
        // The write was accepted, even if the remote can't be asked about it now.
        if (deadline.isExpired() || error instanceof ApiError) return answer;
        throw error;
      }
    });
  };
}

function isPending(answer: object): answer is { event_id: string } {
  const { event_id, status } = { event_id: null, status: null, ...answer };
  return typeof event_id === 'string' && status === 'PENDING';
}
