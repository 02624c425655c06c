import { parseInput } from '../contract/parse-input.ts';
import { applyScope, scopeOfInput } from '../contract/scope/apply-scope.ts';
import { type FaceArguments, readToolArguments } from './tool-arguments.ts';
import type { CallScope, McpOptions } from './tools/options.ts';
import type { ToolRecord, ToolTable } from './tools/tool-records.ts';

/** What the client was asked about a call before, and what it can be asked. */
export type ConfirmationState = {
  /** The client can show its user a form. */
  elicits: boolean;
  /** What the user said; null when nobody was asked yet. */
  answer: 'confirmed' | 'refused' | null;
  /** What this server sent along with the question. */
  state: string | undefined;
};

/** What the protocol says about one call, beside its name and arguments. */
export type ToolCallContext = {
  options: McpOptions;
  tools: ToolTable;
  signal: AbortSignal;
  confirmation: ConfirmationState;
};

/** One call of a tool, with its scope filled in. */
export type ToolCall = ToolCallContext & {
  record: ToolRecord;
  /** The input as it travels on. */
  input: Record<string, unknown>;
  /** The input as its schema reads it. */
  parsed: Record<string, unknown>;
  faceArguments: FaceArguments;
  /** Whose memories it concerns, as far as it says. */
  scope: CallScope;
};

/** Reads a call of a tool. Throws `invalid` when its arguments are wrong. */
export function readToolCall(record: ToolRecord, raw: unknown, context: ToolCallContext): ToolCall {
  const { own, input: given } = readToolArguments(record, raw);
  const { options, tools } = context;
  const input = applyScope(record, given, { scope: options.scope, locked: tools.locked });
  const parsed = parseInput(record.operation, input);
  return { ...context, record, input, parsed, faceArguments: own, scope: scopeOfInput(parsed) };
}
