import * as z from 'zod';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ApiError, invalid } from '../../contract/errors.ts';
import { isObject } from '../../contract/is-object.ts';
import { isReadOnly, type Operation, type Tool, toolsets } from '../../contract/operation.ts';
import { Flag } from '../../contract/schemas/query-values.ts';
import { lockedFields, scopeFields } from '../../contract/scope/memory-scope.ts';
import { contract, isOperationName, type OperationName } from '../../contract.ts';
import type { McpOptions } from './options.ts';

/** An operation that agents can call. */
export type ToolRecord = { name: OperationName; operation: Operation; tool: Tool };

/** What decides which tools there are and which fields they show. */
export type ToolOptions = Pick<
  McpOptions,
  'toolsets' | 'tools' | 'exclude_tools' | 'read_only' | 'scope' | 'lock_scope'
> &
  Partial<Pick<McpOptions, 'confirm_destructive'>>;

/** Fields of this face's own: read here, never passed on to an operation. */
export const faceFields = {
  response_format: z.enum(['concise', 'detailed']).describe('Default concise'),
  dry_run: Flag.describe('Only count'),
  confirm: z.string().describe('Token from the first call'),
};
export type FaceField = keyof typeof faceFields | 'action';

/** Every operation that is a tool. */
export const toolRecords: readonly ToolRecord[] = Object.entries<Operation>(contract).flatMap(
  ([name, operation]) =>
    operation.tool !== null && isOperationName(name)
      ? [{ name, operation, tool: operation.tool }]
      : [],
);

/** The name under which agents call an operation: its own, or that of the tool it belongs to. */
export function toolName({ name, tool }: ToolRecord): string {
  return tool.group?.name ?? name;
}

/** Names of the tools that a configuration offers. Throws `invalid` on a name nobody knows. */
export function selectToolNames(options: ToolOptions): string[] {
  return [...new Set(selectRecords(options).map(toolName))];
}

/** The operations that a configuration offers, whatever tool each is called by. */
export function selectRecords(options: ToolOptions): ToolRecord[] {
  const sets = options.toolsets?.map((name) => requireKnownName('toolset', name, toolsets)) ?? null;
  const named = options.tools?.map(canonicalName) ?? null;
  const excluded = options.exclude_tools.map(canonicalName);
  return toolRecords
    .filter((record) => {
      if (sets === null && named === null) return true;
      const inSet = sets?.some((set) => record.tool.toolsets.some((own) => own === set)) ?? false;
      return inSet || (named?.includes(toolName(record)) ?? false);
    })
    .filter((record) => !excluded.includes(toolName(record)))
    .filter((record) => !options.read_only || isReadOnly(record.operation))
    .filter((record) => !reachesBeyondScope(record) || lockedFields(options).length === 0);
}

/** Grouped tools administer places and subscriptions, which reach beyond any locked scope. */
function reachesBeyondScope({ tool }: ToolRecord): boolean {
  return tool.group !== undefined;
}

/**
 * The operation that a call means, by today's or an earlier name of its tool; null when there is
 * none. A tool of several actions needs to be told which. Throws `invalid` when it is not.
 */
export function findTool(name: string, args?: unknown): ToolRecord | null {
  const named = toolRecords.find((record) => record.name === name);
  if (named !== undefined) return named;
  const actions = toolRecords.filter(({ tool }) => tool.group?.name === name);
  if (actions.length > 0) return pickAction(actions, args);
  return toolRecords.find(({ tool }) => tool.aliases?.includes(name)) ?? null;
}

function pickAction(actions: readonly ToolRecord[], args: unknown): ToolRecord {
  const wanted = isObject(args) ? args.action : undefined;
  const names = actions.flatMap(({ tool }) => tool.group?.action ?? []);
  const found = actions.find(({ tool }) => tool.group?.action === wanted);
  if (found !== undefined) return found;
  const guess = typeof wanted === 'string' ? didYouMean(wanted, names) : '';
  throw invalid('action', `must be one of ${names.join(', ')}.${guess}`);
}

/** Throws when the configuration does not offer a tool. */
export function checkToolOffered(record: ToolRecord, options: ToolOptions): void {
  if (selectRecords(options).includes(record)) return;
  if (options.read_only && !isReadOnly(record.operation)) {
    throw new ApiError('forbidden', `this server is read-only: ${record.name} would write`);
  }
  throw new ApiError('forbidden', `${record.name} is switched off on this server`);
}

/** Fields of this face's own that a tool understands. */
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
  const found = toolRecords.find(({ tool }) => tool.aliases?.includes(name));
  return found === undefined
    ? requireKnownName('tool', name, [...new Set(names)])
    : toolName(found);
}

function requireKnownName(what: string, name: string, allowed: readonly string[]): string {
  if (allowed.includes(name)) return name;
  throw new ApiError(
    'invalid',
    `unknown ${what} ${JSON.stringify(name.slice(0, 60))}.${didYouMean(name, allowed)} ` +
      `Allowed: ${allowed.join(', ')}`,
  );
}
