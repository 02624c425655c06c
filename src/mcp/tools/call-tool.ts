import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { isReadOnly } from '../../contract/operation.ts';
import {
  checkLockedWrite,
  invokeInLockedScope,
} from '../../contract/scope/invoke-in-locked-scope.ts';
import { confirmBulkDelete } from './confirm-delete.ts';
import { runWithTimeout } from './timeout.ts';
import { readToolCall, type ToolCall, type ToolCallContext } from './tool-call.ts';
import { toToolError } from './tool-error.ts';
import { checkToolOffered, findTool, type ToolRecord } from './tool-records.ts';
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
    const found = record;
    return await runWithTimeout({ ...context, record }, async (signal) => {
      const call = await readToolCall(found, raw, { ...context, signal });
      await checkLockedWrite(call);
      return (await confirmBulkDelete(call)) ?? (await invokeTool(call));
    });
  } catch (error) {
    // A cancelled call needs no result, and is not an error to log.
    if (error instanceof ProtocolError || context.signal.aborted) throw error;
    return toToolError(error, { record, options, tools });
  }
}

async function invokeTool(call: ToolCall): Promise<CallToolResult> {
  const answer = explainPending(call, await invokeInLockedScope(call));
  const failed = answer.status === 'FAILED' && !isReadOnly(call.record.operation);
  return { ...presentResult(call, answer), ...(failed && { isError: true }) };
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
