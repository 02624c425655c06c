import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { recordKinds } from '../schemas/record-id.ts';
import { ShortId } from '../short-id.ts';

/** Two ids and the count tell that a short id does not name one record. */
const ResolvedId = z.object({
  short_id: z.string(),
  ids: z.array(z.string()),
  total: z.int(),
});

export const shortIds = {
  resolve_ids: operation({
    summary: 'Find ids by their last digits',
    description:
      'Returns the full ids of the records whose ids end in these digits; of more than two ' +
      'matches, only the first and the last. The kind history covers memories, including deleted ' +
      'ones.',
    scope: 'memories:read',
    routes: [{ method: 'POST', path: '/v1/ids/', carries: 'body' }],
    status: 200,
    input: z.object({
      kind: z
        .enum(recordKinds, { error: `must be one of ${recordKinds.join(', ')}` })
        .default('memory')
        .describe('Kind of record'),
      short_ids: z
        .array(ShortId)
        .min(1, 'must hold at least one id')
        .max(limits.batch_size_max, {
          error: ({ input }) =>
            `holds ${Array.isArray(input) ? input.length : 0} items; at most ${limits.batch_size_max}`,
        })
        .describe('Last 8 digits of ids'),
      ...entityScope,
      ...projectScope,
    }),
    output: z.object({ results: z.array(ResolvedId) }),
    errors: ['invalid', 'not_found'],
    tool: null,
  }),
};
