import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { projectScope } from '../schemas/entity.ts';
import { numeric } from '../schemas/query-values.ts';
import { Relation } from '../schemas/relation.ts';
import { Id } from '../schemas/text.ts';

export const graph = {
  list_relations: operation({
    summary: 'List relations',
    description:
      'Lists the relations stated by current memories, newest memories first, with the text of ' +
      'each memory. `entity` limits them to relations from or to that entity.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/relations/', carries: 'query' }],
    status: 200,
    input: z.object({
      entity: Id.optional().describe('Source or target entity'),
      user_id: Id.optional().describe('User'),
      limit: numeric(z.int().min(1).max(limits.relations_limit_max))
        .default(limits.relations_limit_default)
        .describe(`Maximum relations, default ${limits.relations_limit_default}`),
      ...projectScope,
    }),
    output: z.object({
      results: z.array(Relation.extend({ memory: z.string() })),
      has_more: z.boolean(),
    }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),
};
