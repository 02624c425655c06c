import { ApiError } from '../../contract/errors.ts';
import { isReadOnly } from '../../contract/operation.ts';
import type { ToolCallContext } from './tool-call.ts';
import type { ToolRecord } from './tool-records.ts';

/**
 * Runs a call, and stops it after `tool_timeout_ms`, because a model learns more from an error
 * than from no answer. Throws `unavailable` then.
 */
export async function runWithTimeout<T>(
  call: TimedCall,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = callTimeoutMs(call);
  const late = new AbortController();
  const signal = AbortSignal.any([call.signal, late.signal]);
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new ApiError('unavailable', timeoutMessage(call.record, ms)));
    }, ms);
  });
  try {
    return await Promise.race([run(signal), stopped]);
  } finally {
    clearTimeout(timer);
  }
}

type TimedCall = Pick<ToolCallContext, 'options' | 'signal'> & { record: ToolRecord };

/** An add has its own option for how long it waits for what it stores. */
function callTimeoutMs({ record, options }: TimedCall): number {
  const waits = 'messages' in record.operation.input.shape;
  return options.tool_timeout_ms + (waits ? options.add_wait_ms : 0);
}

function timeoutMessage({ name, operation }: ToolRecord, ms: number): string {
  const stopped = `${name} took longer than ${ms} ms and was stopped`;
  if (isReadOnly(operation)) return stopped;
  return `${stopped}; it may have taken effect; check before you repeat it`;
}
