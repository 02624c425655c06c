import { invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { applyScope } from '../../contract/scope/apply-scope.ts';
import { withFullIds } from '../../contract/scope/full-ids.ts';
import {
  inConfiguredScope,
  type MemoryScope,
  type ScopeField,
  scopeOfInput,
} from '../../contract/scope/memory-scope.ts';
import type { McpOptions } from './options.ts';
import { createToolTable, type ToolRecord, type ToolTable } from './select-tools.ts';
import { type FaceArguments, readToolArguments } from './tool-arguments.ts';

/** The state of a confirmation, and whether the client can show one. */
export type ConfirmationState = {
  /** The client can show its user a form. */
  elicits: boolean;
  /** The answer of the user; null when there is none yet. */
  answer: 'confirmed' | 'refused' | null;
  /** The state that this server sent with the form. */
  state: string | undefined;
};

/** All calls of a connection share its tools and its options. */
export type ToolServer = { options: McpOptions; tools: ToolTable };

export function createToolServer(options: McpOptions): ToolServer {
  const caller = inConfiguredScope(options.caller, options);
  return { options: { ...options, caller }, tools: createToolTable(options) };
}

/** The context of one call, apart from its name and arguments. */
export type ToolCallContext = ToolServer & {
  signal: AbortSignal;
  confirmation: ConfirmationState;
};

/** One call of a tool, with its scope filled in. */
export type ToolCall = ToolCallContext & {
  record: ToolRecord;
  /** The input to pass on. */
  input: Record<string, unknown>;
  /** The input as parsed by its schema. */
  parsed: Record<string, unknown>;
  faceArguments: FaceArguments;
  /** The ids that the call names or that were filled in. */
  scope: MemoryScope;
  /** In which its times are shown. */
  timezone: string;
};

/** Reads a call of a tool. Throws `invalid` when its arguments are wrong. */
export async function readToolCall(
  record: ToolRecord,
  raw: unknown,
  context: ToolCallContext,
): Promise<ToolCall> {
  const { options, signal, tools } = context;
  const { own: faceArguments, input: toolInput } = readToolArguments(
    record,
    options.strict_schemas ? withoutNulls(raw) : raw,
  );
  const { locked } = tools;
  checkTarget(record, toolInput, locked);
  const scoped = applyScope(record, toolInput, { scope: options.scope, locked });
  const input = await withFullIds(record, scoped, { ...options, signal });
  const parsed = parseInput(record.operation, input);
  const { timezone = options.timezone ?? 'UTC' } = parsed;
  const shownTo = { scope: scopeOfInput(parsed), timezone: String(timezone) };
  return { ...context, record, input, parsed, faceArguments, ...shownTo };
}

/** An operation that deletes for good must name its target: the configuration never chooses it. */
function checkTarget(
  { name, tool }: ToolRecord,
  input: Record<string, unknown>,
  locked: readonly ScopeField[],
): void {
  if (tool.forGood === undefined || tool.group !== undefined) return;
  const targets = Object.keys(input).filter((field) => !placeFields.includes(field));
  if (targets.some((field) => (input[field] ?? null) !== null)) return;
  const names: readonly string[] = [...placeFields, ...locked];
  const fields = tool.fields.filter((one) => !names.includes(one));
  const [first = ''] = fields;
  throw invalid(first, `${name} needs one of ${fields.join(', ')}; nothing was erased`);
}

const placeFields: readonly string[] = ['org_id', 'project_id'];

/** Strict modes of models fill in every field of a tool: null is how they leave one out. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Carries the operation out; an add waits for its event as long as the options say. */
export function invokeOperation({
  record,
  input,
  options,
  signal,
}: ToolCall): Promise<Readonly<Record<string, unknown>>> {
  const { invoke, caller, add_wait_ms: wait_ms } = options;
  return invoke(record.name, input, { caller, signal, wait_ms });
}
