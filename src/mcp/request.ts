import { parseInput } from '../contract/parse.ts';
import { type OwnArguments, readArguments } from './arguments.ts';
import type { McpOptions, Scope } from './options.ts';
import { applyScope, scopeOf } from './scope.ts';
import { withFullIds } from './short-ids.ts';
import type { ToolRecord } from './tool.ts';

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
export type CallContext = { options: McpOptions; signal: AbortSignal; asked: Asked };

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
export async function readCall(
  record: ToolRecord,
  raw: unknown,
  context: CallContext,
): Promise<Call> {
  const { options, signal } = context;
  const { own, input: given } = readArguments(record, raw);
  const scoped = applyScope(record, given, options);
  const input = await withFullIds(record, scoped, { ...options, signal });
  const parsed = parseInput(record.operation, input);
  return { ...context, record, input, parsed, own, scope: scopeOf(parsed) };
}
