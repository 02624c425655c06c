import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation, type Tool } from '../operation.ts';
import { entityScope, projectScope } from '../schemas/entity.ts';
import { Score } from '../schemas/memory.ts';
import { PageNumber, PageSize, pageSchema } from '../schemas/page.ts';
import { recordId } from '../schemas/record-id.ts';
import { cuts, explainSteps } from '../schemas/search.ts';
import { DateOrTimestamp } from '../schemas/time.ts';

/** The operations whose answers are kept. */
export const recallingOperations = ['search_memories', 'get_context'] as const;
export type RecallingOperation = (typeof recallingOperations)[number];

/** A memory of an answer; the score is null if it was listed rather than found. */
const RecalledMemory = z.object({ id: z.string(), score: Score.nullable() });

/** One search or context that was answered. */
const Recall = z.object({
  id: z.string(),
  /** The operation that was called. */
  operation: z.enum(recallingOperations),
  /** The key that called it; null for the local user. */
  key_id: z.string().nullable(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
  created_at: z.string(),
  /** Null where only its hash is kept, and of a context that asked nothing. */
  query: z.string().nullable(),
  /** The same for the same question of this store; null where the question is kept. */
  query_hash: z.string().nullable(),
  /** The other fields of the call that have other values than their defaults. */
  settings: z.record(z.string(), z.unknown()),
  cut: z.enum(cuts),
  /** The times that it asked about; null is the present. */
  as_of: z.string().nullable(),
  valid_at: z.string().nullable(),
  /** The version of the ranking that answered. */
  ranking: z.int(),
  /** What the answer cost, estimated rather too high. */
  tokens: z.int(),
  /** How many memories the answer had; the first of them are in `results`. */
  total: z.int(),
  /** In their order, without those that no longer have a version. */
  results: z.array(RecalledMemory),
});
export type Recall = z.output<typeof Recall>;

/** A question that was put again. */
const Ranking = z.object({
  /** The time whose memories answered. */
  as_of: z.string(),
  tokens: z.int(),
  /** In their order, with the text of that time. */
  results: z.array(RecalledMemory.extend({ memory: z.string() })),
  /** The least score that the cut let pass; null where nothing was cut. */
  cut: z.number().nullable(),
  /** At most 20 that were found and are not among the results, the best first. */
  left_out: z.array(RecalledMemory.extend({ memory: z.string(), stage: z.enum(explainSteps) })),
});
export type Ranking = z.output<typeof Ranking>;

/**
 * Why a memory has another place now. `superseded`: its text or its time was changed, or it was
 * merged. `hidden`: it waits, or waited, for a review. `cut`: others are better by so much, or the
 * budget is full. `not_found`: it does not match any more, or did not yet. `ranking`: another
 * version of mneme, or another model, ranks it differently. `others`: those before it changed.
 */
export const recallReasons = [
  'superseded',
  'deleted',
  'learned_later',
  'decayed',
  'expired',
  'hidden',
  'cut',
  'not_found',
  'ranking',
  'others',
] as const;
export type RecallReason = (typeof recallReasons)[number];

const RecallDifference = z.object({
  memory_id: z.string(),
  /** Its text now, or, if it is gone, as it was then. */
  memory: z.string(),
  /** From 1; null if it was not, or is not, in the answer. */
  then_rank: z.int().nullable(),
  now_rank: z.int().nullable(),
  reason: z.enum(recallReasons),
  /** The reason in words. */
  detail: z.string(),
});
export type RecallDifference = z.output<typeof RecallDifference>;

function recallsTool(action: string, fields: string[]): Tool {
  return {
    title: 'Recalls',
    description: 'List earlier searches, and replay one as of then and now.',
    group: { name: 'recalls', action },
    toolsets: ['memories'],
    destructive: false,
    idempotent: true,
    fields,
  };
}

export const recalls = {
  list_recalls: operation({
    summary: 'List recalls',
    description:
      'Lists earlier searches and contexts, newest first, if the project keeps them ' +
      '(`keep_recalls`).',
    scope: 'memories:read',
    routes: [{ method: 'GET', path: '/v1/recalls/', carries: 'query' }],
    status: 200,
    input: z.object({
      ...entityScope,
      operation: z.enum(recallingOperations).optional().describe('Limit to this operation'),
      from: DateOrTimestamp.optional().describe('Earliest time'),
      to: DateOrTimestamp.optional().describe('Latest time'),
      page: PageNumber.default(1),
      page_size: PageSize.default(limits.events_page_size_default),
      ...projectScope,
    }),
    output: pageSchema(Recall),
    errors: ['invalid', 'not_found'],
    tool: recallsTool('list', ['user_id', 'project_id']),
  }),

  replay_recall: operation({
    summary: 'Replay a recall',
    description:
      'Repeats an earlier question as of then and as of now, and explains each memory whose rank ' +
      'or text differs.',
    scope: 'memories:read',
    routes: [{ method: 'POST', path: '/v1/recalls/{recall_id}/replay/', carries: 'body' }],
    status: 200,
    input: z.object({
      recall_id: recordId('recall', 'recall_id').describe('Recall'),
      ...projectScope,
    }),
    output: z.object({
      recall: Recall,
      // biome-ignore lint/suspicious/noThenProperty: it is not a function, so nothing awaits it
      then: Ranking,
      now: Ranking,
      /** By their place then; what is new comes last. */
      differences: z.array(RecallDifference),
    }),
    errors: ['invalid', 'not_found'],
    tool: recallsTool('replay', ['recall_id', 'project_id']),
  }),
};
