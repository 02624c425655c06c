import * as z from 'zod';
import { didYouMean } from '../did-you-mean.ts';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { Feedback, FeedbackReason, feedbackValues, WriteResult } from '../schemas/change.ts';
import { bothClocks, checkValidity, TimezoneField, validityFields } from '../schemas/clocks.ts';
import {
  EntityTypeField,
  entityIdFields,
  entityScope,
  ownerScope,
  projectScope,
} from '../schemas/entity.ts';
import { eventStatuses } from '../schemas/event.ts';
import { Filters, MetadataFilter } from '../schemas/filter.ts';
import { DateBound, filterHelp } from '../schemas/filter-value.ts';
import { Metadata } from '../schemas/json.ts';
import {
  Memory,
  memorySorts,
  PartialMemory,
  ScoredMemory,
  SourcedMemory,
  sourceClasses,
} from '../schemas/memory.ts';
import { isInstructionRole, Messages } from '../schemas/message.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { CustomCategories, NewCategories } from '../schemas/project.ts';
import { Flag, NameList, numeric } from '../schemas/query-values.ts';
import { Receipt } from '../schemas/receipt.ts';
import { recordId } from '../schemas/record-id.ts';
import { OptionalRelations } from '../schemas/relation.ts';
import { CutField, explainFields, SearchMemoriesOutput } from '../schemas/search.ts';
import {
  cleanLine,
  freeText,
  Id,
  MemoryText,
  memoryText,
  QueryText,
  readChars,
  severalMessages,
} from '../schemas/text.ts';
import { DateOrTimestamp, Timestamp } from '../schemas/time.ts';
import {
  cutWeakResults,
  expandWildcards,
  flattenText,
  liftEntityIds,
  pickMemoryIds,
  readMemoryLists,
  readToolAdd,
} from './client-shapes.ts';

const memory_id = recordId('memory', 'memory_id').describe('Id from a result');
const MemoryInstructions = freeText(limits.instructions_max_chars);

const tooManyItems = {
  error: ({ input }: { input?: unknown }) =>
    `holds ${Array.isArray(input) ? input.length : 0} items; at most ${limits.batch_size_max}`,
};

const AddMemoryInput = z
  .object({
    text: memoryText(severalMessages).optional().describe('One fact, stored word for word'),
    messages: Messages.optional().describe('Turns of a conversation, to extract facts from'),
    ...ownerScope,
    metadata: Metadata.optional().describe('Your own data, to filter by'),
    infer: Flag.optional().describe('false stores messages word for word'),
    find_similar: Flag.optional().describe('Return memories similar to a text stored verbatim'),
    async_mode: Flag.default(true).describe('Return at once with a PENDING event'),
    source_class: z.enum(sourceClasses).optional().describe('Source, if not the user'),
    immutable: Flag.default(false).describe('Reject updates'),
    pinned: Flag.default(false).describe('Include in every context'),
    expiration_date: DateBound.nullable().optional().describe('Last day: YYYY-MM-DD'),
    timestamp: Timestamp.optional().describe('When it was said, in Unix seconds'),
    ...validityFields,
    includes: MemoryInstructions.optional().describe('What to remember'),
    excludes: MemoryInstructions.optional().describe('What not to remember'),
    custom_categories: CustomCategories.optional().describe('Category names with descriptions'),
    custom_instructions: MemoryInstructions.optional().describe('How to extract facts'),
    enable_graph: Flag.default(false).describe('Also extract entities and relations'),
    output_format: z
      .string()
      .overwrite(cleanLine)
      .optional()
      .describe('v1.1 wraps results in an object'),
    version: z.string().overwrite(cleanLine).optional().describe('Memory version'),
    ...projectScope,
  })
  .refine(({ text, messages }) => text === undefined || messages === undefined, {
    path: ['messages'],
    message: 'send either text or messages, not both',
  })
  .overwrite(({ text, ...input }) =>
    text === undefined
      ? input
      : {
          ...input,
          messages: [{ role: 'user', content: text }],
          infer: input.infer ?? false,
        },
  )
  .superRefine(checkValidity)
  .superRefine((input, ctx) => {
    if (input.messages === undefined) {
      const message = 'is required: an array of { role, content }; or send text';
      ctx.addIssue({ code: 'custom', path: ['messages'], message });
    }
    if (entityIdFields.every((field) => input[field] === undefined)) {
      const message = `at least one of ${entityIdFields.join(', ')} is required`;
      ctx.addIssue({ code: 'custom', path: ['user_id'], message });
    }
    for (const [index, { role, content }] of (input.messages ?? []).entries()) {
      if (input.infer !== false || isInstructionRole(role)) continue;
      const chars = readChars(content);
      const { memory_text_max_chars: max } = limits;
      if (chars <= max) continue;
      const message = `holds ${chars} characters; at most ${max}; ${severalMessages}`;
      ctx.addIssue({ code: 'custom', path: ['messages', index, 'content'], message });
    }
  });

/** The fields of a memory to return. Throws on names that it does not have. */
function fieldList(allowed: readonly string[]) {
  return NameList.superRefine((names, ctx) => {
    const unknown = names.find((name) => !allowed.includes(name));
    if (unknown === undefined) return;
    const what = `${JSON.stringify(unknown)} is not a field.${didYouMean(unknown, allowed)}`;
    ctx.addIssue({ code: 'custom', message: `${what} Fields: ${allowed.join(', ')}` });
  }).meta({ items: { type: 'string', enum: allowed } });
}

/** Conditions of both list and search; all are ANDed. */
const selectionFields = {
  filters: Filters.optional().describe('As in search_memories'),
  ...entityScope,
  categories: NameList.optional().describe('Any of these categories'),
  metadata: MetadataFilter.optional().describe('Metadata values to match'),
  keywords: z.string().min(1).max(limits.query_max_chars).optional().describe('Words in the text'),
  start_date: DateBound.optional().describe('Created on or after'),
  end_date: DateBound.optional().describe('Created on or before'),
  ...bothClocks,
  timezone: TimezoneField,
  latest_only: Flag.default(true).describe('Hide merged memories'),
  show_expired: Flag.default(false).describe('Include expired ones'),
  show_waiting: Flag.default(false).describe('Include memories awaiting review'),
  fields: fieldList(Object.keys(Memory.shape)).optional().describe('Fields to return'),
  ...projectScope,
};

const ListMemoriesInput = z.object({
  ...selectionFields,
  entity_type: EntityTypeField.optional().meta({ internal: true }),
  entity_id: Id.optional().meta({ internal: true }),
  page: PageNumber.default(1),
  page_size: PageSize.default(limits.page_size_default),
  sort: z.enum(memorySorts).default('-created_at').describe('Field to sort by; - means descending'),
  enable_graph: Flag.default(false).describe('Also return relations'),
  output_format: z.string().optional().describe('v1.1 includes relations'),
});

const SearchMemoriesInput = z.object({
  query: QueryText.describe('Question, or words of the answer'),
  ...selectionFields,
  filters: selectionFields.filters.describe(filterHelp),
  fields: fieldList(Object.keys(ScoredMemory.shape)).optional().describe('Fields to return'),
  top_k: numeric(z.int().min(1).max(limits.top_k_max))
    .default(limits.top_k_default)
    .describe(`Maximum results, default ${limits.top_k_default}`),
  threshold: numeric(z.number().min(0).max(1))
    .default(limits.threshold_default)
    .describe(`Minimum score, default ${limits.threshold_default}`),
  rerank: Flag.default(false).describe('Second-stage scoring'),
  keyword_search: Flag.default(false).describe('Match words only'),
  cut: CutField.default('off'),
  filter_memories: Flag.default(false).describe('Same as cut: relaxed'),
  reference_date: DateOrTimestamp.optional().describe('Date of "today"'),
  ...explainFields,
  enable_graph: Flag.default(false).describe('Also return relations'),
  version: z.string().optional().describe('Memory version'),
  output_format: z.string().optional().describe('v1.1 wraps results in an object'),
});

const MemoryRefInput = z.object({ memory_id, ...projectScope });

const UpdateMemoryInput = z
  .object({
    memory_id,
    text: MemoryText.optional().describe('New text'),
    metadata: Metadata.optional().describe('Replaces all metadata'),
    categories: NewCategories,
    timestamp: Timestamp.optional().describe('Unix seconds; new created_at'),
    expiration_date: DateBound.nullable().optional().describe('Last day: YYYY-MM-DD, or null'),
    pinned: Flag.optional().describe('Include in every context'),
    ...validityFields,
    ...projectScope,
  })
  .refine(
    ({ memory_id: _, project_id: _p, org_id: _o, ...updates }) =>
      Object.values(updates).some((value) => value !== undefined),
    {
      path: ['text'],
      message:
        'nothing to update: send text, metadata, categories, expiration_date, pinned, ' +
        'valid_from or valid_until',
    },
  )
  .superRefine(checkValidity);

const DeleteMemoriesInput = z.object({
  ...entityScope,
  metadata: MetadataFilter.optional().describe('Metadata values to match'),
  filters: Filters.optional().describe('As in search_memories'),
  ...projectScope,
});

const BatchUpdateInput = z.object({
  memories: z
    .array(
      z
        .object({
          memory_id,
          text: MemoryText.optional().describe('New text'),
          metadata: Metadata.optional().describe('Replaces all metadata'),
          categories: NewCategories,
          pinned: Flag.optional().describe('Include in every context'),
          ...validityFields,
        })
        .refine(
          ({ memory_id: _, ...updates }) =>
            Object.values(updates).some((value) => value !== undefined),
          {
            path: ['text'],
            message:
              'nothing to update: send text, metadata, categories, pinned, valid_from or ' +
              'valid_until',
          },
        )
        .superRefine(checkValidity),
    )
    .min(1, 'must hold at least one item')
    .max(limits.batch_size_max, tooManyItems)
    .describe('A memory_id and what changes, for each'),
  ...projectScope,
});

const BatchDeleteInput = z.object({
  memory_ids: z
    .array(memory_id)
    .min(1, 'must hold at least one id')
    .max(limits.batch_size_max, tooManyItems)
    .describe('Ids from results'),
  ...projectScope,
});

/** History outlives the memory, so it is what the ids name. */
const EraseMemoriesInput = DeleteMemoriesInput.extend({
  memory_ids: z
    .array(recordId('history', 'memory_ids'))
    .min(1, 'must hold at least one id')
    .max(limits.batch_size_max, tooManyItems)
    .optional()
    .describe('Ids, also of deleted ones'),
}).refine(
  ({ memory_ids, metadata, filters }) =>
    memory_ids === undefined || (metadata === undefined && filters === undefined),
  { path: ['memory_ids'], message: 'send either memory_ids, or metadata and filters' },
);

const FeedbackInput = z.object({
  memory_id,
  feedback: z
    .enum(feedbackValues, { error: `must be one of ${feedbackValues.join(', ')}, or null` })
    .nullable()
    .optional()
    .describe('Whether it was useful'),
  feedback_reason: FeedbackReason.nullable().optional().describe('Why'),
  ...projectScope,
});

const MessageOutput = z.object({ message: z.string() });

/** Deletes return the number of deleted memories. */
const DeletedOutput = z.object({ message: z.string(), deleted: z.int() });

export const memories = {
  add_memory: operation({
    summary: 'Add memories',
    description:
      'Stores facts. Messages are queued for extraction, and an event tracks the progress. With ' +
      '`infer: false`, or sent as `text`, they are stored verbatim at once.',
    scope: 'memories:write',
    routes: [
      { method: 'POST', path: '/v1/memories/', carries: 'body' },
      { method: 'POST', path: '/v3/memories/add/', carries: 'body' },
    ],
    status: 200,
    input: AddMemoryInput,
    normalize: liftEntityIds,
    output: z.object({
      message: z.string(),
      status: z.enum(eventStatuses),
      event_id: z.string(),
      results: z.array(WriteResult),
      relations: OptionalRelations,
    }),
    publishedKey: 'results',
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Add memory',
      description: 'Remember a fact, preference, decision or date: as text, or from messages.',
      toolsets: ['core', 'memories'],
      destructive: false,
      idempotent: false,
      fields: [
        'text',
        'messages',
        'user_id',
        'agent_id',
        'app_id',
        'run_id',
        'metadata',
        'infer',
        'pinned',
        'expiration_date',
        'timestamp',
        'valid_from',
        'valid_until',
        'project_id',
      ],
      aliases: ['add_memories'],
      normalize: readToolAdd,
    },
  }),

  search_memories: operation({
    summary: 'Search memories',
    description: 'Finds memories that answer a question, best match first.',
    scope: 'memories:read',
    routes: [
      { method: 'POST', path: '/v2/memories/search/', carries: 'body' },
      { method: 'POST', path: '/v1/memories/search/', carries: 'body' },
      {
        method: 'POST',
        path: '/v3/memories/search/',
        carries: 'body',
        defaults: { threshold: 0.1 },
        requires_entity: true,
      },
    ],
    status: 200,
    input: SearchMemoriesInput,
    aliases: { limit: 'top_k' },
    output: SearchMemoriesOutput,
    publishedKey: 'results',
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'Search memories',
      description:
        'Find memories that answer a question, best first. Use it before answering about the ' +
        'user or the past. Ask with words of the answer, names, dates.',
      toolsets: ['core', 'memories'],
      destructive: false,
      idempotent: true,
      fields: [
        'query',
        'filters',
        'user_id',
        'agent_id',
        'app_id',
        'run_id',
        'top_k',
        'cut',
        'as_of',
        'valid_at',
        'project_id',
      ],
      aliases: ['search_memory'],
      normalize: cutWeakResults,
      formats: true,
    },
  }),

  get_memories: operation({
    summary: 'List memories',
    description:
      'Lists the memories that match a filter, newest first or in the order of `sort`. Memories ' +
      'of the same time are in the order in which they were stored.',
    scope: 'memories:read',
    routes: [
      { method: 'POST', path: '/v2/memories/', carries: 'body' },
      {
        method: 'POST',
        path: '/v3/memories/',
        carries: 'body',
      },
      { method: 'GET', path: '/v1/memories/', carries: 'query', requires_entity: true },
      { method: 'GET', path: '/v1/memories/{entity_type}/{entity_id}/', carries: 'query' },
    ],
    status: 200,
    input: ListMemoriesInput,
    aliases: { limit: 'page_size' },
    output: pageSchema(PartialMemory).extend({ relations: OptionalRelations }),
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'List memories',
      description: 'List memories by filter, newest first. To answer, use search_memories.',
      toolsets: ['core', 'memories'],
      destructive: false,
      idempotent: true,
      fields: [
        'filters',
        'user_id',
        'agent_id',
        'run_id',
        'page',
        'page_size',
        'as_of',
        'valid_at',
        'project_id',
      ],
      formats: true,
    },
  }),

  get_memory: operation({
    summary: 'Get a memory',
    description:
      'Returns one memory by its id, even if it has expired, with the message it came from.',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/memories/{memory_id}/', carries: 'query' }],
    status: 200,
    input: MemoryRefInput.extend(bothClocks),
    output: SourcedMemory,
    errors: ['invalid', 'not_found'],
    tool: {
      title: 'Get memory',
      description: 'Read one memory in full, with the message it came from.',
      toolsets: ['memories'],
      destructive: false,
      idempotent: true,
      fields: ['memory_id', 'as_of', 'valid_at', 'project_id'],
    },
  }),

  update_memory: operation({
    summary: 'Update a memory',
    description:
      'Replaces the text, metadata, categories or expiry of a memory, pins it, or sets when it ' +
      'is true; the id stays the same. A new text with `valid_from` supersedes the old text from ' +
      'that time on.',
    scope: 'memories:write',
    routes: [{ method: 'PUT', path: '/v1/memories/{memory_id}/', carries: 'body' }],
    status: 200,
    input: UpdateMemoryInput,
    normalize: flattenText,
    output: Memory.extend({
      text: z.string(),
      /** That nothing changed, which other memory says the same, or that it has expired. */
      message: z.string().optional(),
    }),
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    tool: {
      title: 'Update memory',
      description: 'Correct a memory when its fact has changed; history keeps the old text.',
      toolsets: ['core', 'memories'],
      destructive: true,
      idempotent: true,
      fields: [
        'memory_id',
        'text',
        'metadata',
        'expiration_date',
        'pinned',
        'valid_from',
        'valid_until',
        'project_id',
      ],
    },
  }),

  delete_memory: operation({
    summary: 'Delete a memory',
    description: 'Deletes one memory. Its history is kept and ends with the DELETE.',
    scope: 'memories:write',
    routes: [{ method: 'DELETE', path: '/v1/memories/{memory_id}/', carries: 'query' }],
    status: 204,
    input: MemoryRefInput.extend({
      delete_linked: Flag.default(false).describe('Also delete memories merged into it'),
    }),
    output: DeletedOutput,
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Delete memory',
      description: 'Delete one memory that is wrong or unwanted. It can be undone.',
      toolsets: ['core', 'memories'],
      destructive: true,
      idempotent: true,
      fields: ['memory_id', 'project_id'],
    },
  }),

  delete_all_memories: operation({
    summary: 'Delete memories by filter',
    description: 'Deletes all memories that match; at least one condition is required.',
    scope: 'memories:write',
    routes: [{ method: 'DELETE', path: '/v1/memories/', carries: 'query' }],
    status: 204,
    input: DeleteMemoriesInput,
    normalize: expandWildcards,
    output: DeletedOutput.extend({ event_id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Delete memories by filter',
      description: 'Delete all memories that match. Asks for confirmation; it can be undone.',
      toolsets: ['memories'],
      destructive: true,
      idempotent: true,
      fields: ['user_id', 'agent_id', 'run_id', 'filters', 'project_id'],
      confirm: combinedFilter,
    },
  }),

  batch_update_memories: operation({
    summary: 'Update memories in a batch',
    description: 'Updates up to 1,000 memories, all or none.',
    scope: 'memories:write',
    routes: [
      { method: 'PUT', path: '/v1/batch/', carries: 'body' },
      { method: 'POST', path: '/v1/memories/batch/update/', carries: 'body' },
    ],
    status: 200,
    input: BatchUpdateInput,
    normalize: readMemoryLists,
    output: MessageOutput,
    errors: ['invalid', 'forbidden', 'not_found', 'conflict'],
    tool: {
      title: 'Update memories in a batch',
      description: 'Correct up to 1,000 memories at once, all or none.',
      toolsets: ['memories'],
      destructive: true,
      idempotent: true,
      fields: ['memories', 'project_id'],
    },
  }),

  batch_delete_memories: operation({
    summary: 'Delete memories in a batch',
    description: 'Deletes up to 1,000 memories by id, all or none.',
    scope: 'memories:write',
    routes: [
      { method: 'DELETE', path: '/v1/batch/', carries: 'body' },
      { method: 'POST', path: '/v1/memories/batch/delete/', carries: 'body' },
    ],
    status: 200,
    input: BatchDeleteInput,
    normalize: pickMemoryIds,
    output: DeletedOutput.extend({ event_id: z.string() }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Delete memories in a batch',
      description: 'Delete up to 1,000 memories by id, all or none.',
      toolsets: ['memories'],
      destructive: true,
      idempotent: true,
      fields: ['memory_ids', 'project_id'],
      confirm: combinedFilter,
    },
  }),

  erase_memories: operation({
    summary: 'Erase memories',
    description:
      'Deletes memories by ids or filter with everything about them: history, feedback, ' +
      'relations, their data in events, deliveries, and exports that may contain them. The ' +
      'remains of memories deleted earlier are erased too. The receipt lists what was removed ' +
      'from where.',
    scope: 'memories:write',
    routes: [{ method: 'POST', path: '/v1/memories/erase/', carries: 'body' }],
    status: 200,
    input: EraseMemoriesInput,
    normalize: readMemoryLists,
    output: DeletedOutput.extend({ event_id: z.string(), receipt: Receipt }),
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Erase memories',
      description: 'Erase memories, their history and all copies, for good. Asks first.',
      toolsets: ['memories'],
      destructive: true,
      idempotent: true,
      fields: ['memory_ids', 'user_id', 'agent_id', 'run_id', 'filters', 'project_id'],
      confirm: combinedFilter,
      forGood: true,
    },
  }),

  add_feedback: operation({
    summary: 'Rate a memory',
    description: 'Rates one memory. A second rating replaces the first; null withdraws it.',
    scope: 'memories:write',
    routes: [
      { method: 'POST', path: '/v1/feedback/', carries: 'body' },
      { method: 'POST', path: '/v1/memories/{memory_id}/feedback/', carries: 'body' },
    ],
    status: 200,
    input: FeedbackInput,
    output: Feedback,
    errors: ['invalid', 'forbidden', 'not_found'],
    tool: {
      title: 'Rate memory',
      description: 'Rate whether a memory was useful.',
      toolsets: ['memories'],
      destructive: false,
      idempotent: true,
      fields: ['memory_id', 'feedback', 'feedback_reason', 'project_id'],
    },
  }),
};

/** One filter of an input's ids, top-level conditions and `filters`: all of them hold. */
function combinedFilter(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [...entityIdFields, 'metadata'].filter((name) => input[name] !== undefined);
  const byId = input.memory_ids === undefined ? [] : [{ id: { in: input.memory_ids } }];
  const flat = [...byId, ...names.map((name) => ({ [name]: input[name] }))];
  return { AND: input.filters === undefined ? flat : [...flat, input.filters] };
}
