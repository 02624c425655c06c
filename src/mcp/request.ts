import { parseInput } from '../contract/parse.ts';
import { type OwnArguments, readArguments } from './arguments.ts';
import type { McpOptions, Scope } from './options.ts';
import { applyScope, scopeOf } from './scope.ts';
import type { ToolRecord, ToolTable } from './tool.ts';

/** What the client was asked about a call before, and what it can be asked. */
export type Asked = {
  /** The client can show its user a form. */
  elicits: boolean;
  /** What the user said; null when nobody was asked yet. */
  answer: 'confirmed' | 'refused' | null;
  /** What this server sent along with the question. */
  state: string | undefined;
};

/** What the protocol says about one call, beside its name and arguments. */
export type CallContext = {
  options: McpOptions;
  tools: ToolTable;
  signal: AbortSignal;
  asked: Asked;
};

/** One call of a tool, with its scope filled in. */
export type Call = CallContext & {
  record: ToolRecord;
  /** The input as it travels on. */
  input: Record<string, unknown>;
  /** The input as its schema reads it. */
  parsed: Record<string, unknown>;
  own: OwnArguments;
  /** Whose memories it concerns, as far as it says. */
  scope: Scope;
};

/** Reads a call of a tool. Throws `invalid` when its arguments are wrong. */
export function readCall(record: ToolRecord, raw: unknown, context: CallContext): Call {
  const { own, input: given } = readArguments(record, raw);
  const { scope } = context.options;
  const input = applyScope(record, given, { scope, locked: context.tools.locked });
  const parsed = parseInput(record.operation, input);
  return { ...context, record, input, parsed, own, scope: scopeOf(parsed) };
}
