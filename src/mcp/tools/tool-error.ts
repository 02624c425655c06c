import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { cleanText, oneLine } from '../../contract/schemas/text.ts';
import { isOperationName } from '../../contract.ts';
import type { McpOptions } from './options.ts';
import type { ToolRecord, ToolTable } from './select-tools.ts';

/** The next step for each kind of error. */
const nextStep: Partial<Record<ErrorCode, string>> = {
  invalid: 'Correct the arguments and call again.',
  conflict: 'Add a new memory instead, or delete this one first.',
  forbidden: 'This caller may only read; search and list still work.',
  too_large: 'Send less in one call.',
  rate_limited: 'Wait a little, then call again.',
  unavailable: 'Wait a little, then call again; if that does not help, tell the user.',
  internal: 'Try again later; the server has logged it.',
};

/** A result that tells the model what is wrong and what to do next, and reveals nothing else. */
export function toToolError(
  error: unknown,
  { record, options, tools }: { record: ToolRecord | null; options: McpOptions; tools: ToolTable },
): CallToolResult {
  const { code, message, fields, next } = toPublicError(error, options, { tool: record?.name });
  const details = Object.entries(fields ?? {}).flatMap(([field, [problem = '']]) =>
    message.includes(problem) ? [] : [`${field}: ${problem}`],
  );
  const problem = [message, ...details].join('; ');
  const advised = next === undefined ? undefined : withToolNames(next, tools);
  return errorResult(code, problem, advised ?? nextStepFor(code, record, tools));
}

/** A step that names an operation says how this client calls it, or how its user does. */
function withToolNames(step: string, { offered }: ToolTable): string {
  return step.replace(/\b[a-z]+_[a-z]+(?= with| shows)/g, (name) => {
    if (!isOperationName(name)) return name;
    const tool = [...offered].find((record) => record.name === name)?.tool;
    if (tool === undefined) return `mneme call ${name}`;
    return tool.group === undefined ? name : `${tool.group.name} ${tool.group.action}`;
  });
}

type PublicError = Pick<ApiError, 'code' | 'message' | 'fields' | 'next'>;

/** The part of an error that a caller may read; the log has the rest. */
export function toPublicError(
  error: unknown,
  { log, elsewhere = false }: Pick<McpOptions, 'log' | 'elsewhere'>,
  where: object,
): PublicError {
  if (error instanceof ApiError && error.code !== 'internal') {
    const { code, message, fields, next } = error;
    if (code === 'unavailable') log('warn', message, where);
    return { code, message: elsewhere ? error.elsewhere : message, fields, next };
  }
  const stack = error instanceof Error ? error.stack : undefined;
  log('error', 'request failed', { ...where, error, stack });
  return new ApiError('internal', 'internal error');
}

function nextStepFor(code: ErrorCode, record: ToolRecord | null, tools: ToolTable): string {
  if (code !== 'not_found' || record === null) return nextStep[code] ?? '';
  const { operation } = record;
  const finder = idFinders.find(({ id }) => id in operation.input.shape)?.tool;
  return finder !== undefined && tools.names.includes(finder)
    ? `Call ${finder} to find the id.`
    : 'Check the id.';
}

const idFinders = [
  { id: 'event_id', tool: 'list_events' },
  { id: 'entity_id', tool: 'list_entities' },
  { id: 'memory_id', tool: 'search_memories' },
  { id: 'memory_ids', tool: 'search_memories' },
  { id: 'memories', tool: 'search_memories' },
] as const;

function errorResult(code: ErrorCode, problem: string, next: string): CallToolResult {
  const message = cleanText(oneLine(problem));
  return {
    isError: true,
    content: [{ type: 'text', text: `Error (${code}): ${message}\n${next}`.trim() }],
    structuredContent: { error: { code, message, next } },
  };
}
