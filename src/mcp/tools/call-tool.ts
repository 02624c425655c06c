import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError } from '../../contract/errors.ts';
import { isReadOnly } from '../../contract/operation.ts';
import { approveAdministration } from './approve-administration.ts';
import { emptySearchNotes } from './empty-search.ts';
import { checkToolOffered, findTool, type ToolRecord } from './select-tools.ts';
import { withoutBlanks } from './tool-arguments.ts';
import { invokeOperation, readToolCall, type ToolCall, type ToolCallContext } from './tool-call.ts';
import { toToolError } from './tool-error.ts';
import { presentResult } from './tool-result.ts';

type ToolAnswer = Readonly<Record<string, unknown>>;

/** Calls a tool. Errors become results that the model can act on. */
export async function callTool(
  { name, arguments: raw }: { name: string; arguments?: unknown },
  context: ToolCallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { options, tools } = context;
  let record: ToolRecord | null = null;
  try {
    record = findTool(name, raw);
    if (record === null) throw unknownToolError(name, tools.names);
    checkToolOffered(record, context);
    const tool = record;
    return await runWithTimeout({ ...context, record }, async (signal) => {
      const toolArguments = withoutBlanks(tool, raw);
      const call = await readToolCall(tool, toolArguments, { ...context, signal });
      const question = (await approveAdministration(call)) ?? (await askBeforeDelete(call));
      return question ?? (await invokeTool(call));
    });
  } catch (error) {
    // A cancelled call needs no result, and is not an error to log.
    if (error instanceof ProtocolError || context.signal.aborted) throw error;
    return toToolError(error, { record, options, tools });
  }
}

/** Loaded with the first bulk delete: most servers see none. */
async function askBeforeDelete(call: ToolCall) {
  if (call.record.tool.confirm === undefined) return null;
  const { confirmBulkDelete } = await import('./confirm-delete.ts');
  return confirmBulkDelete(call);
}

/**
 * Runs a call, and stops it after `tool_timeout_ms`, because a model learns more from an error
 * than from no answer. Throws `unavailable` then.
 */
async function runWithTimeout<T>(
  call: TimedCall,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ms = callTimeoutMs(call);
  const late = new AbortController();
  const signal = AbortSignal.any([call.signal, late.signal]);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(new ApiError('unavailable', timeoutMessage(call.record, ms)));
    }, ms);
  });
  try {
    return await Promise.race([run(signal), timeout]);
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
  const reason = `${name} took longer than ${ms} ms and was stopped`;
  if (isReadOnly(operation)) return reason;
  return `${reason}; it may have taken effect; check before you repeat it`;
}

async function invokeTool(call: ToolCall): Promise<CallToolResult> {
  const answer = explainPending(call, await invokeOperation(call));
  const failed = answer.status === 'FAILED' && !isReadOnly(call.record.operation);
  const hints = await emptySearchNotes(call, answer);
  return { ...presentResult(call, answer, hints), ...(failed && { isError: true }) };
}

/** Explains how to continue when a write is still pending after `add_wait_ms`. */
function explainPending({ tools }: ToolCall, answer: ToolAnswer): ToolAnswer {
  const { event_id, status } = answer;
  if (typeof event_id !== 'string' || status !== 'PENDING') return answer;
  const next = tools.names.includes('get_event')
    ? `Call get_event with event_id "${event_id}" to see what was stored.`
    : 'A search will soon find what it stores.';
  return { ...answer, message: `Accepted; still being processed. ${next}` };
}

function unknownToolError(name: string, offered: readonly string[]): ProtocolError {
  const label = JSON.stringify(name.slice(0, 60));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool ${label}.${didYouMean(name, offered)} Tools: ${offered.join(', ')}`,
  );
}
