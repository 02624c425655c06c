import type { ToolCall } from './tool-call.ts';

type WriteAnswer = Readonly<Record<string, unknown>>;

/** Says how to go on where a write was not done within `add_wait_ms`; others pass through. */
export function explainPending({ tools }: ToolCall, answer: WriteAnswer): WriteAnswer {
  const { event_id, status } = answer;
  if (typeof event_id !== 'string' || status !== 'PENDING') return answer;
  const next = tools.names.includes('get_event')
    ? `Call get_event with event_id "${event_id}" to see what was stored.`
    : 'What it stores can be found by a search soon.';
  return { ...answer, message: `Accepted; still being processed. ${next}` };
}
