import * as z from 'zod';
import { isReadOnly } from '../../contract/operation.ts';
import { lockedFields } from '../../contract/scope/memory-scope.ts';
import {
  isOptionalField,
  strictSchema,
  type ToolSchema,
  toolFieldSchema,
  toolOutputSchema,
} from './json-schema.ts';
import {
  faceFields,
  faceFieldsOf,
  selectRecords,
  type ToolOptions,
  type ToolRecord,
  toolName,
} from './select-tools.ts';

export type ListedTool = {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema & { type: 'object' };
  outputSchema: ToolSchema & { type: 'object' };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
};

/** The tools of a configuration as clients see them, in the order of the contract. */
export function listTools(options: ToolOptions): ListedTool[] {
  const records = selectRecords(options);
  return [...new Set(records.map(toolName))].flatMap((name) =>
    describeTool(
      records.filter((record) => toolName(record) === name),
      options,
    ),
  );
}

/** One tool: a single operation, or several as its actions. */
function describeTool(members: readonly ToolRecord[], options: ToolOptions): ListedTool[] {
  const [first] = members;
  if (first === undefined) return [];
  const { title, description } = first.tool;
  return [
    {
      name: toolName(first),
      title,
      description:
        first.tool.group === undefined
          ? description
          : `${description}. ${describeActions(members)}`,
      inputSchema: { type: 'object', ...inputSchemaOf(members, options) },
      outputSchema: { type: 'object', properties: outputProperties(members) },
      annotations: {
        title,
        readOnlyHint: members.every(({ operation }) => isReadOnly(operation)),
        destructiveHint: members.some(({ tool }) => tool.destructive),
        idempotentHint: members.every(({ tool }) => tool.idempotent),
        openWorldHint: false,
      },
    },
  ];
}

/** The fields of each action; optional ones have a question mark, and any may name a project. */
function describeActions(members: readonly ToolRecord[]): string {
  return members
    .map(({ operation, tool }) => {
      const shape: Record<string, z.ZodType> = operation.input.shape;
      const names = tool.fields.flatMap((name) => {
        const field = shape[name];
        if (field === undefined || !isOptionalField(field)) return [name];
        return name === 'project_id' ? [] : [`${name}?`];
      });
      return `${tool.group?.action}(${names.join(', ')})`;
    })
    .join(', ');
}

function inputSchemaOf(members: readonly ToolRecord[], options: ToolOptions): ToolSchema {
  const locked: readonly string[] = lockedFields(options);
  const fields = new Map<string, z.ZodType>();
  const actions = members.flatMap(({ tool }) => tool.group?.action ?? []);
  if (actions.length > 0) fields.set('action', z.enum(actions).describe('Action'));
  for (const record of members) {
    const shape: Record<string, z.ZodType> = record.operation.input.shape;
    for (const name of record.tool.fields) {
      const field = shape[name];
      if (field !== undefined && !locked.includes(name)) fields.set(name, field);
    }
  }
  for (const name of members.flatMap((record) =>
    faceFieldsOf(record, options.confirm_destructive),
  )) {
    if (name !== 'action') fields.set(name, faceFields[name]);
  }
  const required =
    actions.length > 0
      ? ['action']
      : [...fields].flatMap(([name, field]) => requiredName(name, field));
  return {
    properties: Object.fromEntries(
      [...fields].map(([name, field]) => {
        const schema = toolFieldSchema(field);
        return [name, options.strict_schemas ? strictSchema(schema) : schema];
      }),
    ),
    ...(required.length > 0 && { required }),
  };
}

function requiredName(name: string, field: z.ZodType): string[] {
  return name in faceFields || isOptionalField(field) ? [] : [name];
}

/**
 * Deliberately loose: concise answers omit fields, a dry run returns other ones, and some clients
 * validate errors against this schema too.
 */
function outputProperties(members: readonly ToolRecord[]): ToolSchema {
  const common = { notice: { type: 'string' }, scope: { type: 'object' } };
  const [only] = members;
  // The actions have different outputs, in which the same name may mean different things.
  if (only === undefined || members.length > 1) return common;
  const { error: _, ...fields } = toolOutputSchema(only.operation.output);
  return { ...common, ...fields };
}
