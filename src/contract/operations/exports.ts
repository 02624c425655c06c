import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { bothClocks } from '../schemas/clocks.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { eventStatuses } from '../schemas/event.ts';
import { Filters } from '../schemas/filter.ts';
import { SchemaDocument } from '../schemas/json.ts';
import { recordId } from '../schemas/record-id.ts';
import { freeText } from '../schemas/text.ts';

export const exportOperations = {
  create_export: operation({
    summary: 'Create an export',
    description:
      'Starts a job that fills a JSON Schema from the selected memories. Fields that no memory ' +
      'answers are null, never invented.',
    scope: 'exports:write',
    routes: [
      { method: 'POST', path: '/v1/exports/', carries: 'body' },
      { method: 'POST', path: '/v1/memories/export/', carries: 'body' },
    ],
    status: 201,
    input: z.object({
      schema: SchemaDocument.describe('JSON Schema of the result'),
      filters: Filters.optional().describe('AND/OR/NOT tree of conditions'),
      export_instructions: freeText(limits.instructions_max_chars)
        .optional()
        .describe('Instructions for filling it'),
      ...entityScope,
      ...bothClocks,
      ...projectScope,
    }),
    output: z.object({ message: z.string(), id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Create export',
      description: 'Fill a JSON Schema from memories; get_export returns it.',
      toolsets: ['exports'],
      destructive: false,
      idempotent: false,
      fields: ['schema', 'filters', 'user_id', 'agent_id', 'app_id', 'run_id', 'project_id'],
    },
  }),

  get_export: operation({
    summary: 'Get an export',
    description:
      'Returns the result of an export by id, or of the newest export with these filters.',
    scope: 'exports:read',
    routes: [
      { method: 'POST', path: '/v1/exports/get/', carries: 'body' },
      { method: 'GET', path: '/v1/memories/export/{memory_export_id}/', carries: 'query' },
    ],
    status: 200,
    input: z.object({
      memory_export_id: recordId('export', 'memory_export_id')
        .optional()
        .describe('Default: the newest export'),
      filters: Filters.optional().describe('AND/OR/NOT tree of conditions'),
      ...entityScope,
      ...projectScope,
    }),
    output: z.object({
      id: z.string(),
      status: z.enum(eventStatuses),
      message: z.string(),
      /** The filled schema; null until the job is done. */
      data: z.unknown(),
    }),
    publishedKey: 'data',
    errors: ['invalid', 'not_found'],
    errorMessages: { not_found: 'No memory export request found' },
    tool: {
      title: 'Get export',
      description: 'Get the result of an export.',
      toolsets: ['exports'],
      destructive: false,
      idempotent: true,
      fields: ['memory_export_id', 'project_id'],
    },
  }),
};
