import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server';
import { signRequest, verifyToken } from './signed-token.ts';
import type { ToolCall } from './tool-call.ts';

/** A person may need minutes for a form. */
const formLifetimeMs = 15 * 60 * 1000;

type Question = {
  message: string;
  title: string;
  description: string;
  /** What the user has seen of the target, beside the call itself. */
  seen?: string;
};

/** Asks the user of the client a question with one box, to be ticked for yes. */
export async function askInForm(
  call: ToolCall,
  { message, title, description, seen = '' }: Question,
): Promise<InputRequiredResult> {
  const confirm = inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { confirm: { type: 'boolean', title, description } },
      required: ['confirm'],
    },
  });
  const state = await signConfirmation(call, { by: 'form', lifetimeMs: formLifetimeMs, seen });
  return inputRequired({ inputRequests: { confirm }, requestState: state });
}

type By = 'token' | 'form';

/** `expiry.mac.seen`, for this call and what the caller has seen. */
export async function signConfirmation(
  call: ToolCall,
  { by, lifetimeMs, seen }: { by: By; lifetimeMs: number; seen: string },
): Promise<string> {
  const token = signRequest(await signedRequestFor(call, { by, seen }), lifetimeMs);
  return seen === '' ? token : `${token}.${seen}`;
}

/** Whether this was signed for this call, with what follows it, and has not expired. */
export async function isConfirmed(call: ToolCall, by: By, confirmation: string): Promise<boolean> {
  const [, , ...seen] = confirmation.trim().split('.');
  return verifyToken(confirmation, await signedRequestFor(call, { by, seen: seen.join('.') }));
}

/** The exact request to confirm: caller, tool, and parsed arguments with their scope. */
async function signedRequestFor(call: ToolCall, { by, seen }: { by: By; seen: string }) {
  const { options, record, parsed } = call;
  const request = { by, caller: options.caller, tool: record.name, input: parsed, seen };
  return { secret: await options.secret(), request, now: options.now() };
}
