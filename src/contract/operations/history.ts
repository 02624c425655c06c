import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { HistoryEntry, ToldChange } from '../schemas/change.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { VersionedMemory } from '../schemas/memory.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { recordId } from '../schemas/record-id.ts';

const MemoryOfHistory = z.object({
  memory_id: recordId('history', 'memory_id').describe('Id from a result'),
  ...projectScope,
});

/** History outlives the memory. */
export const history = {
  get_history: operation({
    summary: 'Get the history of a memory',
    description: 'Lists every change of a memory, oldest first, even after it is deleted.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/memories/{memory_id}/history/', carries: 'query' }],
    status: 200,
    input: MemoryOfHistory,
    output: z.object({ results: z.array(ToldChange) }),
    publishedKey: 'results',
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'Get history',
      description: 'List the changes of a memory, oldest first, even after it is deleted.',
      toolsets: ['core', 'memories'],
      destructive: false,
      idempotent: true,
      fields: ['memory_id', 'project_id'],
      formats: true,
    },
  }),

  get_versions: operation({
    summary: 'Get the versions of a memory',
    description:
      'Lists all versions of a memory with the times between which the store held them, oldest ' +
      'first, even after the memory is deleted. The last one is the present version.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/memories/{memory_id}/versions/', carries: 'query' }],
    status: 200,
    input: MemoryOfHistory,
    output: z.object({ results: z.array(VersionedMemory) }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),

  list_history: operation({
    summary: 'List changes of memories',
    description:
      'Lists the changes of all memories of a project, or of the entities named, newest first. ' +
      'Changes of memories awaiting review are left out.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/memories/events/', carries: 'query' }],
    status: 200,
    input: z.object({
      ...entityScope,
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.page_size_default),
      ...projectScope,
    }),
    aliases: { limit: 'page_size' },
    output: pageSchema(HistoryEntry),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),
};
