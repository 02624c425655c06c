import * as z from 'zod';
import { didYouMean } from '../contract/closest.ts';
import { ApiError } from '../contract/errors.ts';
import { contract, isOperationName, type OperationName } from '../contract/index.ts';
import { type Operation, type Tool, toolsets } from '../contract/operation.ts';
import { Flag } from '../contract/schemas/page.ts';
import { fieldSchema, isOptional, type JsonSchema, outputSchema } from './json-schema.ts';
import { type McpOptions, scopeFields } from './options.ts';

/** An operation that agents can call. */
export type ToolRecord = { name: OperationName; operation: Operation; tool: Tool };

export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  outputSchema: JsonSchema & { type: 'object' };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

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
export type FaceField = keyof typeof faceFields;

/** Every operation that is a tool. */
export const records: readonly ToolRecord[] = Object.entries<Operation>(contract).flatMap(
  ([name, operation]) =>
    operation.tool !== null && isOperationName(name)
      ? [{ name, operation, tool: operation.tool }]
      : [],
);

/** The tools of a configuration as clients see them, in the order of the contract. */
export function listTools(options: ToolOptions): ListedTool[] {
  const selected = new Set<string>(selectTools(options));
  return records.filter(({ name }) => selected.has(name)).map((record) => list(record, options));
}

/** Names of the tools that a configuration offers. Throws `invalid` on a name nobody knows. */
export function selectTools(options: ToolOptions): OperationName[] {
  const sets = options.toolsets?.map((name) => known('toolset', name, toolsets)) ?? null;
  const named = options.tools?.map(canonicalName) ?? null;
  const excluded = options.exclude_tools.map(canonicalName);
  return records
    .filter(({ name, tool }) => {
      if (sets === null && named === null) return true;
      const inSet = sets?.some((set) => tool.toolsets.some((own) => own === set)) ?? false;
      return inSet || (named?.includes(name) ?? false);
    })
    .filter((record) => !excluded.includes(record.name))
    .filter((record) => !options.read_only || isReadOnly(record.operation))
    .map(({ name }) => name);
}

/** The tool that goes by a name, today's or an earlier one. */
export function findTool(name: string): ToolRecord | null {
  const named = records.find((record) => record.name === name);
  return named ?? records.find(({ tool }) => tool.aliases?.includes(name)) ?? null;
}

/** Throws when the configuration does not offer a tool. */
export function checkOffered(record: ToolRecord, options: ToolOptions): void {
  if (selectTools(options).includes(record.name)) return;
  if (options.read_only && !isReadOnly(record.operation)) {
    throw new ApiError('forbidden', `this server is read-only: ${record.name} would write`);
  }
  throw new ApiError('forbidden', `${record.name} is switched off on this server`);
}

export function isReadOnly({ scope }: Pick<Operation, 'scope'>): boolean {
  return scope.endsWith(':read');
}

/** Scope fields that calls can't choose because the configuration fixed them. */
export function lockedFields({ lock_scope, scope }: Pick<McpOptions, 'lock_scope' | 'scope'>) {
  return lock_scope ? scopeFields.filter((field) => scope[field] !== undefined) : [];
}

/** Fields of this face's own that a tool understands. */
export function ownFields({ tool }: ToolRecord, confirms = true): FaceField[] {
  return [
    ...(tool.formats ? (['response_format'] as const) : []),
    ...(tool.confirm ? (['dry_run'] as const) : []),
    ...(tool.confirm && confirms ? (['confirm'] as const) : []),
  ];
}

function list(record: ToolRecord, options: ToolOptions): ListedTool {
  const { name, operation, tool } = record;
  return {
    name,
    title: tool.title,
    description: tool.about,
    inputSchema: { type: 'object', ...inputMembers(record, options) },
    outputSchema: { type: 'object', properties: answerSchema(operation) },
    annotations: {
      title: tool.title,
      readOnlyHint: isReadOnly(operation),
      destructiveHint: tool.destructive,
      idempotentHint: tool.idempotent,
      openWorldHint: false,
    },
  };
}

function inputMembers(record: ToolRecord, options: ToolOptions): JsonSchema {
  const locked: readonly string[] = lockedFields(options);
  const shape: Record<string, z.ZodType> = record.operation.input.shape;
  const shown = record.tool.fields
    .filter((name) => !locked.includes(name))
    .flatMap((name) => (shape[name] === undefined ? [] : [[name, shape[name]] as const]));
  const own = ownFields(record, options.confirm_destructive).map(
    (name) => [name, faceFields[name]] as const,
  );
  const required = shown.filter(([, field]) => !isOptional(field)).map(([name]) => name);
  return {
    properties: Object.fromEntries(
      [...shown, ...own].map(([name, field]) => [name, fieldSchema(field)]),
    ),
    ...(required.length > 0 && { required }),
  };
}

/**
 * Loose on purpose: concise answers leave fields out, a dry run answers others, and a refusal has
 * an `error` of its own shape, which some clients hold against this schema too.
 */
function answerSchema(operation: Operation): JsonSchema {
  const { error: _, ...fields } = outputSchema(operation.output);
  return { notice: { type: 'string' }, scope: { type: 'object' }, ...fields };
}

function canonicalName(name: string): string {
  const found = findTool(name);
  return found === null
    ? known(
        'tool',
        name,
        records.map((record) => record.name),
      )
    : found.name;
}

function known(what: string, name: string, allowed: readonly string[]): string {
  if (allowed.includes(name)) return name;
  throw new ApiError(
    'invalid',
    `unknown ${what} ${JSON.stringify(name.slice(0, 60))}.${didYouMean(name, allowed)} ` +
      `Allowed: ${allowed.join(', ')}`,
  );
}
