import * as z from 'zod';
import { Score, ScoreBreakdown, ScoredMemory } from './memory.ts';
import { Flag } from './query-values.ts';
import { recordId } from './record-id.ts';
import { OptionalRelations } from './relation.ts';

/**
 * Which results of a search are left out, compared to the best one: none, those with less than half
 * of its score, or those with less than .9 of it, and all where the best one is not sure.
 */
export const cuts = ['off', 'relaxed', 'strict'] as const;
export type Cut = (typeof cuts)[number];

export const CutField = z
  .enum(cuts, { error: `must be one of ${cuts.join(', ')}` })
  .describe('How strictly weak results are left out');

/**
 * How memories are found: by the words of the question, by its dates, as neighbours of the
 * likeliest ones, and by vectors. `recent`, `upcoming`, `always` and `around` are listed, not
 * found.
 */
export const explainSources = [
  'words',
  'dates',
  'neighbours',
  'vectors',
  'recent',
  'upcoming',
  'always',
  'around',
] as const;

/** The steps that found memories pass, in this order. */
export const explainSteps = [
  'score',
  'threshold',
  'cut',
  'top_k',
  'duplicates',
  'max_tokens',
] as const;
export type ExplainSource = (typeof explainSources)[number];
export type ExplainStep = (typeof explainSteps)[number];

/** Why a memory is not in the answer; an id out of scope is `unknown`, like any other. */
export const explainAbsences = ['unknown', 'filters', 'hidden', 'not_found'] as const;

/** Fields of an input that has its answer explained. */
export const explainFields = {
  explain: Flag.default(false).describe('Explain the ranking'),
  explain_id: recordId('memory', 'explain_id')
    .optional()
    .describe('Memory whose absence to explain'),
};

/** How an answer came about. */
export const Explanation = z.object({
  /** In their order, for each thing that is asked; `query` is null for what is done with all. */
  stages: z.array(
    z.object({
      stage: z.enum([...explainSources, ...explainSteps]),
      query: z.string().nullable(),
      /** How many memories it found or let pass. */
      memories: z.int(),
      /** The least score or the most memories that it lets pass; null if it has no such number. */
      limit: z.number().nullable(),
    }),
  ),
  results: z.array(
    z.object({
      id: z.string(),
      score: Score.nullable(),
      score_breakdown: ScoreBreakdown.nullable(),
      found_by: z.array(z.enum(explainSources)),
    }),
  ),
  /** At most 50 that were found and are not in the answer: the stage at which each fell out. */
  left_out: z.array(
    z.object({
      id: z.string(),
      stage: z.enum(explainSteps),
      score: Score.nullable(),
      limit: z.number().nullable(),
    }),
  ),
  /** Names in the question that mean others as well. */
  aliases: z.array(z.object({ name: z.string(), also: z.array(z.string()) })).optional(),
  /** The memory that `explain_id` names. */
  memory: z
    .object({
      id: z.string(),
      /** Null if it is in the answer. */
      stage: z.enum([...explainAbsences, ...explainSteps]).nullable(),
      score: Score.nullable(),
      limit: z.number().nullable(),
      reason: z.string(),
    })
    .optional(),
});
export type Explanation = z.output<typeof Explanation>;

export const SearchMemoriesOutput = z.object({
  results: z.array(ScoredMemory),
  relations: OptionalRelations,
  warning: z.string().optional(), // why a configured model was not used
  note: z.string().optional(), // the day that is asked for has no memories
  weak: z.array(ScoredMemory).optional(), // the nearest of a small scope, if none is near enough
  explanation: Explanation.optional(),
});
