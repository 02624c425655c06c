import * as z from 'zod';

/** Parts of the creation time, in UTC, for clients that group by them. */
const StructuredAttributes = z.object({
  year: z.int(),
  month: z.int(),
  day: z.int(),
  hour: z.int(),
  minute: z.int(),
  day_of_week: z.string(),
  is_weekend: z.boolean(),
  quarter: z.int(),
  week_of_year: z.int(),
});

/** What kind of thing a memory tells. */
export const memoryTypes = [
  'fact',
  'preference',
  'instruction',
  'plan',
  'event',
  'relation',
] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** How exactly it is known when something happens. */
export const granularities = ['minute', 'day', 'week', 'month', 'season', 'year'] as const;
export type Granularity = (typeof granularities)[number];

/** A stored text fact. Times are ISO 8601 in UTC; `session_id` repeats `run_id`. */
export const Memory = z.object({
  id: z.string(),
  memory: z.string(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** MD5 of the normalised text; for client compatibility, not security. */
  hash: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  categories: z.array(z.string()),
  immutable: z.boolean(),
  expiration_date: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The memory that this one was merged into, which hides it from search and list. */
  replaced_by: z.string().nullable(),
  /** What kind of thing it tells; null where nobody has looked. */
  type: z.enum(memoryTypes).nullable(),
  /** What it tells of whom, like `user:lives_in`: a newer statement of it updates this memory. */
  slot: z.string().nullable(),
  /** The first instant of when what it tells of happens, and how exact that is. */
  occurred_at: z.string().nullable(),
  occurred_granularity: z.enum(granularities).nullable(),
  structured_attributes: StructuredAttributes,
});
export type Memory = z.output<typeof Memory>;

/** The message that the text of a memory came from. */
export const Source = z.object({
  role: z.string(),
  /** Whoever said it, where the message names them. */
  name: z.string().nullable(),
  /** Its text; of a long one the part that the memory came from, between ellipses. */
  content: z.string(),
  /** The session in which it was said. */
  run_id: z.string().nullable(),
  /** When it was said. */
  created_at: z.string(),
});
export type Source = z.output<typeof Source>;

/** A memory by itself, with where it comes from; null where that is not kept. */
export const SourcedMemory = Memory.extend({ source: Source.nullable() });

/** A memory reduced to the `fields` that were asked for; `id` always stays. */
export const PartialMemory = Memory.partial().required({ id: true });
export type PartialMemory = z.output<typeof PartialMemory>;

/**
 * How well a memory answers the query, 0 to 1. Retrieval without a model: the square root of the
 * share of the query's weight (inverse document frequency) that the memory carries; see
 * docs/search.md. At 0.3 it carries about a tenth of it.
 */
export const Score = z.number().min(0).max(1);

/** What the score is made of; the parts add up to it. */
export const ScoreBreakdown = z.object({
  /** Likeness of meaning. */
  semantic: Score,
  /** Words that the memory, its neighbours or its session hold. */
  keyword: Score,
  /** Who said it. */
  entity: Score,
  /** When it was said, or happens. */
  temporal: Score,
});
export type ScoreBreakdown = z.output<typeof ScoreBreakdown>;

/** A hit of a search, with how well it answers the query. */
export const ScoredMemory = PartialMemory.extend({
  score: Score,
  score_breakdown: ScoreBreakdown.optional(),
});
export type ScoredMemory = z.output<typeof ScoredMemory>;
