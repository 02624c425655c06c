import {
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { didYouMean } from '../contract/closest.ts';
import { addAndWait } from './add.ts';
import { confirmBulk } from './confirm.ts';
import { toToolError } from './failure.ts';
import { checkLockedInput, invokeLocked } from './lock.ts';
import { present } from './present.ts';
import { type Call, type CallContext, readCall } from './request.ts';
import { withinTimeout } from './timeout.ts';
import { checkOffered, findTool, isReadOnly, selectTools, type ToolRecord } from './tool.ts';

/** Carries out a call of a tool. What goes wrong becomes a result that the model can act on. */
export async function callTool(
  { name, arguments: raw }: { name: string; arguments?: unknown },
  context: CallContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { options } = context;
  let record: ToolRecord | null = null;
  try {
    record = findTool(name, raw);
    if (record === null) throw unknownTool(name, selectTools(options));
    checkOffered(record, options);
    const found = record;
    return await withinTimeout({ ...context, record }, async (signal) => {
      const call = await readCall(found, raw, { ...context, signal });
      await checkLockedInput(call);
      return (await confirmBulk(call)) ?? (await carryOut(call));
    });
  } catch (error) {
    // Who cancelled gets no answer any more, and whoever runs the server has nothing to look into.
    if (error instanceof ProtocolError || context.signal.aborted) throw error;
    return toToolError(error, { record, options });
  }
}

async function carryOut(call: Call): Promise<CallToolResult> {
  const answer = await addAndWait(call, await invokeLocked(call));
  const failed = answer.status === 'FAILED' && !isReadOnly(call.record.operation);
  return { ...present(call, answer), ...(failed && { isError: true }) };
}

function unknownTool(name: string, offered: readonly string[]): ProtocolError {
  const label = JSON.stringify(name.slice(0, 60));
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool ${label}.${didYouMean(name, offered)} Tools: ${offered.join(', ')}`,
  );
}
