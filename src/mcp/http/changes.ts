import { isObject } from '../../contract/is-object.ts';
import { findTool, isReadOnly } from '../tools/tool-records.ts';

/** Whether a body, or one message of it, calls a tool that writes. */
export function callsWritingTool(body: unknown): boolean {
  return (Array.isArray(body) ? body : [body]).some(isWritingCall);
}

function isWritingCall(message: unknown): boolean {
  if (!isObject(message) || message.method !== 'tools/call' || !isObject(message.params)) {
    return false;
  }
  const { name, arguments: args } = message.params;
  try {
    const record = findTool(String(name), args);
    return record !== null && !isReadOnly(record.operation);
  } catch {
    return false; // No such action: the call itself is refused, and says why.
  }
}
