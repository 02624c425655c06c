import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { type SignedRequest, signRequest, verifyToken } from './signed-token.ts';
import type { ToolCall } from './tool-call.ts';

/** A person may need minutes for a form. */
const formLifetimeMs = 15 * 60 * 1000;

type Question = { message: string; title: string; description: string };

/** Asks the user of the client a question with one box, to be ticked for yes. */
export async function askInForm(
  call: ToolCall,
  { message, title, description }: Question,
): Promise<InputRequiredResult> {
  const confirm = inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title, description } },
      required: ['confirm'],
    },
  });
  const state = signRequest(await signedRequestFor(call, 'form'), formLifetimeMs);
  return inputRequired({ inputRequests: { confirm }, requestState: state });
}

/** Whether the form was about this call, and has not expired. */
export async function isFormValid(call: ToolCall, state: string): Promise<boolean> {
  return verifyToken(state, await signedRequestFor(call, 'form'));
}

/** The exact request to confirm: caller, tool, and parsed arguments with their scope. */
export async function signedRequestFor(
  call: ToolCall,
  by: 'token' | 'form',
): Promise<SignedRequest> {
  const { options, record, parsed } = call;
  const request = { by, caller: options.caller, tool: record.name, input: parsed };
  return { secret: await options.secret(), request, now: options.now() };
}
