import { ApiError } from '../contract/errors.ts';
import type { CallContext } from './request.ts';
import { isReadOnly, type ToolRecord } from './tool.ts';

/**
 * Carries out a call, and after `tool_timeout_ms` stops it and waits no longer: a model that gets
 * no answer knows less than one that gets an error. Throws `unavailable` then.
 */
export async function withinTimeout<T>(
  call: Timed,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = timeoutOf(call);
  const late = new AbortController();
  const signal = AbortSignal.any([call.signal, late.signal]);
  let timer: NodeJS.Timeout | undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new ApiError('unavailable', lateMessage(call.record, ms)));
    }, ms);
  });
  try {
    return await Promise.race([run(signal), stopped]);
  } finally {
    clearTimeout(timer);
  }
}

type Timed = Pick<CallContext, 'options' | 'signal'> & { record: ToolRecord };

/** An add is told by an option of its own how long it waits for what it stores. */
function timeoutOf({ record, options }: Timed): number {
  const waits = 'messages' in record.operation.input.shape;
  return options.tool_timeout_ms + (waits ? options.add_wait_ms : 0);
}

function lateMessage({ name, operation }: ToolRecord, ms: number): string {
  const stopped = `${name} took longer than ${ms} ms and was stopped`;
  if (isReadOnly(operation)) return stopped;
  return `${stopped}; it may have taken effect, look before you repeat it`;
}
