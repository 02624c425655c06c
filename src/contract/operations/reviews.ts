import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { WriteResult } from '../schemas/change.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Memory, reviewReasons, sourceClasses, waitingStatuses } from '../schemas/memory.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { recordId } from '../schemas/record-id.ts';
import { MemoryText } from '../schemas/text.ts';
import { projectTool } from './projects.ts';

/** A memory that waits, why it does, and the memory whose text it would replace. */
const WaitingMemory = Memory.extend({
  review_reason: z.enum(reviewReasons).nullable(),
  supersedes: z.object({ id: z.string(), memory: z.string() }).nullable(),
});

export const reviewDecisions = ['accept', 'decline', 'never'] as const;

export const reviews = {
  list_reviews: operation({
    summary: 'List reviews',
    description: 'Lists the memories awaiting review, newest first.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/reviews/', carries: 'query' }],
    status: 200,
    input: z.object({
      ...entityScope,
      status: z.enum(waitingStatuses).optional().describe('candidate or quarantined'),
      source_class: z.enum(sourceClasses).optional().describe('Source'),
      review_reason: z.enum(reviewReasons).optional().describe('Why review is needed'),
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.page_size_default),
      ...projectScope,
    }),
    output: pageSchema(WaitingMemory),
    errors: ['invalid', 'not_found'],
    tool: projectTool('list_reviews', ['project_id', 'user_id']),
  }),

  review_memory: operation({
    summary: 'Review a memory',
    description:
      'Accepts a memory awaiting review, with a new text if one is sent, or declines it. `never` ' +
      'declines it, and the project stores no similar text again.',
    scope: 'memories:write',
    routes: [{ method: 'POST', path: '/v1/reviews/{memory_id}/', carries: 'body' }],
    status: 200,
    input: z
      .object({
        memory_id: recordId('memory', 'memory_id').describe('Id from a result'),
        decision: z.enum(reviewDecisions).describe('Decision'),
        text: MemoryText.optional().describe('New text'),
        replaces: recordId('memory', 'replaces')
          .nullable()
          .optional()
          .describe(
            'Memory whose text it replaces; null for none; by default the one shown as ' +
              '`supersedes`',
          ),
        ...projectScope,
      })
      .refine(({ decision, text }) => text === undefined || decision === 'accept', {
        path: ['text'],
        message: 'may only be sent with accept',
      })
      .refine(({ decision, replaces }) => replaces === undefined || decision === 'accept', {
        path: ['replaces'],
        message: 'may only be sent with accept',
      }),
    /** ADD: it is recalled now. UPDATE: its text replaced that of the memory that is named. */
    output: z.object({
      message: z.string(),
      results: z.array(WriteResult),
      /** To undo it; null if no memory was changed. */
      event_id: z.string().nullable(),
    }),
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    tool: projectTool('review', ['project_id', 'memory_id', 'decision', 'text'], {
      destructive: true,
      idempotent: false,
      approval: ({ decision, memory_id, text }) =>
        decision === 'accept'
          ? `Accept ${JSON.stringify(text ?? memory_id)}, which awaits review`
          : null,
    }),
  }),
};
