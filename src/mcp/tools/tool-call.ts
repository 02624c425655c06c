import { parseInput } from '../../contract/parse-input.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import {
  type MemoryScope,
  type ScopeLock,
  scopeOfInput,
} from '../../contract/scope/memory-scope.ts';
import type { McpOptions } from './options.ts';
import { type FaceArguments, readToolArguments } from './tool-arguments.ts';
import type { ToolRecord, ToolTable } from './tool-records.ts';

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
  lock: ScopeLock;
  /** Whose memories it concerns, as far as it says. */
  scope: MemoryScope;
};

/** Reads a call of a tool. Throws `invalid` when its arguments are wrong. */
export async function readToolCall(
  record: ToolRecord,
  raw: unknown,
  context: ToolCallContext,
): Promise<ToolCall> {
  const { own: faceArguments, input: given } = readToolArguments(record, raw);
  const { options, signal, tools } = context;
  const { lock } = tools;
  const scoped = applyScope(record, given, { scope: options.scope, lock });
  const input = await withFullIds(record, scoped, { ...options, lock, signal });
  const parsed = parseInput(record.operation, input);
  return { ...context, record, input, parsed, faceArguments, lock, scope: scopeOfInput(parsed) };
}
