import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { ApiError, invalid } from '../../contract/errors.ts';
import { oneLine } from '../../contract/schemas/text.ts';
import { askInForm, isConfirmed } from './confirmation-form.ts';
import type { ToolCall } from './tool-call.ts';

/** Enough for an address and what is sent there. */
const questionMaxChars = 1000;

/**
 * Stops a call that sends data out, or decides who may read or what is recalled, until a person has
 * approved it; null lets the call go on. Throws `forbidden` if the person refuses, or has to be
 * asked and can't be.
 */
export async function approveAdministration(call: ToolCall): Promise<InputRequiredResult | null> {
  const { record, parsed, options, confirmation } = call;
  const change = record.tool.approval?.(parsed) ?? null;
  if (change === null || options.admin_approval === 'off') return null;
  if (confirmation.state !== undefined) return checkReply(call, confirmation.state);
  if (confirmation.elicits) {
    const message = `${oneLine(change).slice(0, questionMaxChars).toWellFormed()}? An agent asks.`;
    return askInForm(call, { message, title: 'Allow', description: 'Yes, allow it' });
  }
  if (options.admin_approval === 'forms') return null;
  throw new ApiError(
    'forbidden',
    `a person has to approve ${record.name}, and this client cannot ask one; nothing was ` +
      `changed. Tell the user to run: mneme call ${record.name}`,
  );
}

async function checkReply(call: ToolCall, state: string): Promise<null> {
  if (!(await isConfirmed(call, 'form', state))) {
    throw invalid('confirm', 'the question has expired; nothing was changed. Call again');
  }
  if (call.confirmation.answer === 'confirmed') return null;
  throw new ApiError('forbidden', 'the user did not approve: nothing was changed');
}
