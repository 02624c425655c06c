import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { bothClocks, TimezoneField } from '../schemas/clocks.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Filters } from '../schemas/filter.ts';
import { Messages } from '../schemas/message.ts';
import { numeric } from '../schemas/query-values.ts';
import { CutField, Explanation, explainFields } from '../schemas/search.ts';
import { QueryText } from '../schemas/text.ts';
import { DateOrTimestamp } from '../schemas/time.ts';

/** The forms in which a context can be written. */
export const contextTemplates = ['markdown', 'plain', 'xml', 'json'] as const;
export type ContextTemplate = (typeof contextTemplates)[number];

/**
 * The parts of a context, in their order: who the user is and what always holds, what is due within
 * two weeks, what answers the query, what was said around that, and the newest memories.
 */
export const contextKinds = ['always', 'upcoming', 'answers', 'around', 'recent'] as const;
export type ContextKind = (typeof contextKinds)[number];

/** Why a memory that was found is not in the context. */
export const leftOutReasons = ['below_cut', 'duplicate', 'over_budget'] as const;

const { context_tokens_min, context_tokens_max, context_tokens_default } = limits;

const ContextInput = z
  .object({
    query: QueryText.optional().describe('Question, topic or task'),
    messages: Messages.optional().describe('Turns so far; the last one is the question'),
    max_tokens: numeric(z.int().min(context_tokens_min).max(context_tokens_max))
      .default(context_tokens_default)
      .describe(`Budget, default ${context_tokens_default}`),
    cut: CutField.default('relaxed'),
    template: z
      .enum(contextTemplates, { error: `must be one of ${contextTemplates.join(', ')}` })
      .default('markdown')
      .describe(contextTemplates.join(', ')),
    filters: Filters.optional().describe('As in search_memories'),
    ...entityScope,
    ...bothClocks,
    reference_date: DateOrTimestamp.optional().describe('Date of "today"'),
    timezone: TimezoneField,
    ...explainFields,
    ...projectScope,
  })
  .refine(({ query, messages }) => query === undefined || messages === undefined, {
    path: ['messages'],
    message: 'send either query or messages, not both',
  });

const ContextBlock = z.object({
  kind: z.enum(contextKinds),
  memory_ids: z.array(z.string()),
  /** The tokens of its lines and its heading. */
  tokens: z.int(),
});

export const context = {
  get_context: operation({
    summary: 'Get context',
    description:
      'Writes memories as one text to paste before a conversation, within a budget of tokens. It ' +
      'begins with the memories that always apply, and that part stays the same until they ' +
      'change. With a query, only memories that answer it follow, or none. Without a query, ' +
      'memories due within two weeks and the newest ones follow.',
    scope: 'memories:read',
    routes: [{ method: 'POST', path: '/v1/context/', carries: 'body' }],
    status: 200,
    input: ContextInput,
    output: z.object({
      text: z.string(),
      blocks: z.array(ContextBlock),
      /** Tokens of the text, estimated rather too high. */
      used: z.int(),
      /** At most 100, the best first. */
      left_out: z.array(z.object({ id: z.string(), reason: z.enum(leftOutReasons) })),
      /** Why a configured model was not used. */
      warning: z.string().optional(),
      explanation: Explanation.optional(),
    }),
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'Get context',
      description:
        'Get one text for a task, within max_tokens: what always applies, what answers the ' +
        'query, what is new. Use it when work begins; without a query it gives what always ' +
        'applies.',
      toolsets: ['core', 'memories'],
      destructive: false,
      idempotent: true,
      fields: [
        'query',
        'max_tokens',
        'as_of',
        'valid_at',
        'user_id',
        'agent_id',
        'run_id',
        'project_id',
      ],
      text: true,
    },
  }),
};
