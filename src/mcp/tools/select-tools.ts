import * as z from 'zod';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { isReadOnly, type Operation, type Tool, toolsets } from '../../contract/operation.ts';
import { Flag } from '../../contract/schemas/query-values.ts';
import { lockedFields, type ScopeField } from '../../contract/scope/memory-scope.ts';
import { contract, isOperationName, type OperationName } from '../../contract.ts';
import type { McpOptions } from './options.ts';

/** An operation that agents can call. */
export type ToolRecord = { name: OperationName; operation: Operation; tool: Tool };

/** The options that decide which tools are offered and which fields they show. */
export type ToolOptions = Pick<
  McpOptions,
  'toolsets' | 'tools' | 'exclude_tools' | 'read_only' | 'scope' | 'lock_scope'
> &
  Partial<Pick<McpOptions, 'confirm_destructive' | 'strict_schemas'>>;

/** Fields that this face reads itself and never passes on to an operation. */
export const faceFields = {
  response_format: z
    .enum(['concise', 'detailed'])
    .describe('detailed adds ids, types and metadata'),
  dry_run: Flag.describe('Only count what would be deleted'),
  confirm: z.string().describe('Token from the first call'),
};
export type FaceField = keyof typeof faceFields | 'action';

/** The tools of a configuration, computed once for a connection. */
export type ToolTable = {
  /** Names of the tools, in the order of the contract. */
  names: readonly string[];
  /** The operations that can be called, including those of grouped tools. */
  offered: ReadonlySet<ToolRecord>;
  /** The scope fields that calls can't choose. */
  locked: readonly ScopeField[];
};

/** Throws `invalid` when the configuration names an unknown tool. */
export function createToolTable(options: ToolOptions): ToolTable {
  const records = selectRecords(options);
  return {
    names: [...new Set(records.map(toolName))],
    offered: new Set(records),
    locked: lockedFields(options),
  };
}

/** Every operation that is a tool. */
export const toolRecords: readonly ToolRecord[] = Object.entries<Operation>(contract).flatMap(
  ([name, operation]) =>
    operation.tool !== null && isOperationName(name)
      ? [{ name, operation, tool: operation.tool }]
      : [],
);

const recordsByName: ReadonlyMap<string, ToolRecord> = new Map(
  toolRecords.map((record) => [record.name, record]),
);

/** The tool name of an operation: its own, or that of its group. */
export function toolName({ name, tool }: ToolRecord): string {
  return tool.group?.name ?? name;
}

/** Names of the tools that a configuration offers. Throws `invalid` on an unknown name. */
export function selectToolNames(options: ToolOptions): string[] {
  return [...createToolTable(options).names];
}

/** The operations that a configuration offers, including those of grouped tools. */
export function selectRecords(options: ToolOptions): ToolRecord[] {
  const sets = options.toolsets?.map((name) => requireKnownName('toolset', name, toolsets)) ?? null;
  const toolNames = options.tools?.map(canonicalName) ?? null;
  const names = options.exclude_tools.map(canonicalName);
  const isLocked = lockedFields(options).length > 0;
  return toolRecords
    .filter((record) => {
      if (sets === null && toolNames === null) return true;
      const inSet = sets?.some((set) => record.tool.toolsets.some((own) => own === set)) ?? false;
      return inSet || (toolNames?.includes(toolName(record)) ?? false);
    })
    .filter((record) => !names.includes(toolName(record)))
    .filter((record) => !options.read_only || isReadOnly(record.operation))
    .filter((record) => !isLocked || !reachesBeyondScope(record));
}

/** Grouped tools manage projects and webhooks, which are not limited to any locked scope. */
function reachesBeyondScope({ tool }: ToolRecord): boolean {
  return tool.group !== undefined;
}

/**
 * The operation of a call, by the current or an older name of its tool; null when there is none.
 * Throws `invalid` when a tool with several actions gets no valid `action`.
 */
export function findTool(name: string, args?: unknown): ToolRecord | null {
  const record = recordsByName.get(name);
  if (record !== undefined) return record;
  const actions = toolRecords.filter(({ tool }) => tool.group?.name === name);
  if (actions.length > 0) return pickAction(actions, args);
  return toolRecords.find(({ tool }) => tool.aliases?.includes(name)) ?? null;
}

function pickAction(actions: readonly ToolRecord[], args: unknown): ToolRecord {
  const action = isObject(args) ? args.action : undefined;
  const names = actions.flatMap(({ tool }) => tool.group?.action ?? []);
  const record = actions.find(({ tool }) => tool.group?.action === action);
  if (record !== undefined) return record;
  const guess = typeof action === 'string' ? didYouMean(action, names) : '';
  throw invalid('action', `must be one of ${names.join(', ')}.${guess}`);
}

/** Throws when the configuration does not offer a tool. */
export function checkToolOffered(
  record: ToolRecord,
  { tools, options }: { tools: ToolTable; options: ToolOptions },
): void {
  if (tools.offered.has(record)) return;
  if (options.read_only && !isReadOnly(record.operation)) {
    throw new ApiError('forbidden', `this server is read-only: ${record.name} would write`);
  }
  const problem = `${record.name} is switched off on this server`;
  throw new ApiError('forbidden', problem, { next: 'Ask the user to do it, or do without.' });
}

/** The fields of a tool that this face reads itself. */
export function faceFieldsOf({ tool }: ToolRecord, confirms = true): FaceField[] {
  return [
    ...(tool.group ? (['action'] as const) : []),
    ...(tool.formats ? (['response_format'] as const) : []),
    ...(tool.confirm ? (['dry_run'] as const) : []),
    ...(tool.confirm && confirms ? (['confirm'] as const) : []),
  ];
}

function canonicalName(name: string): string {
  const names = toolRecords.map(toolName);
  if (names.includes(name)) return name;
  const record = toolRecords.find(({ tool }) => tool.aliases?.includes(name));
  return record === undefined
    ? requireKnownName('tool', name, [...new Set(names)])
    : toolName(record);
}

function requireKnownName(what: string, name: string, allowed: readonly string[]): string {
  if (allowed.includes(name)) return name;
  throw new ApiError(
    'invalid',
    `unknown ${what} ${JSON.stringify(name.slice(0, 60))}.${didYouMean(name, allowed)} ` +
      `Allowed: ${allowed.join(', ')}`,
  );
}
