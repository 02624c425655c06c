import * as z from 'zod';

/** Parts of the creation time in UTC, for clients that group by them. */
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

/** How a list can be sorted: by a field, with `-` descending. */
export const memorySorts = ['-created_at', 'created_at', '-updated_at', 'updated_at'] as const;
export type MemorySort = (typeof memorySorts)[number];

/** The kinds of memories. */
export const memoryTypes = [
  'fact',
  'preference',
  'instruction',
  'plan',
  'event',
  'relation',
] as const;
export type MemoryType = (typeof memoryTypes)[number];

/** How exactly the time of an event is known. */
export const granularities = ['minute', 'day', 'week', 'month', 'season', 'year'] as const;
export type Granularity = (typeof granularities)[number];

/**
 * Only active memories are recalled. A candidate waits for a review; a quarantined one comes from a
 * source that the project does not trust, and waits as well.
 */
export const memoryStatuses = ['active', 'candidate', 'quarantined'] as const;
export const waitingStatuses = ['candidate', 'quarantined'] as const;
export type MemoryStatus = (typeof memoryStatuses)[number];

/** The sources of texts, the most trusted first. */
export const sourceClasses = [
  'user',
  'import',
  'assistant',
  'document',
  'tool',
  'unknown',
] as const;
export type SourceClass = (typeof sourceClasses)[number];

/**
 * Why a memory waits for a review: its source is not trusted, it reads like orders, extraction was
 * not sure of it, or the project reviews all.
 */
export const reviewReasons = ['source', 'flagged', 'unsure', 'all'] as const;
export type ReviewReason = (typeof reviewReasons)[number];

/** A stored text fact. Times are ISO 8601 in UTC; `session_id` repeats `run_id`. */
export const Memory = z.object({
  id: z.string(),
  memory: z.string(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
  session_id: z.string().nullable(),
  /** MD5 of the normalised text, for client compatibility, not for security. */
  hash: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  categories: z.array(z.string()),
  immutable: z.boolean(),
  /** Always of use, whatever is asked. */
  pinned: z.boolean(),
  expiration_date: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  /** The memory that this one was merged into. Search and list hide it then. */
  replaced_by: z.string().nullable(),
  /** The kind of the memory; null if it was never classified. */
  type: z.enum(memoryTypes).nullable(),
  /** The attribute that it states, such as `user:lives_in`. A newer value updates this memory. */
  slot: z.string().nullable(),
  /** When the described event starts; `occurred_granularity` says how exact that is. */
  occurred_at: z.string().nullable(),
  occurred_granularity: z.enum(granularities).nullable(),
  /** When it is true, from the first until, exclusive, the second; null is open. */
  valid_from: z.string().nullable(),
  valid_until: z.string().nullable(),
  /** Search and list hide all but active ones, unless a filter names the status. */
  status: z.enum(memoryStatuses),
  /** The least trusted source that the text draws on. */
  source_class: z.enum(sourceClasses),
  structured_attributes: StructuredAttributes,
  /** Older memories that this one may contradict, unchanged since; absent if there are none. */
  may_replace: z.array(z.string()).optional(),
});
export type Memory = z.output<typeof Memory>;

/** The message that a memory was extracted from. */
export const Source = z.object({
  role: z.string(),
  /** The speaker, if the message names one. */
  name: z.string().nullable(),
  /** Its text; of a long message, the part that the memory came from, between ellipses. */
  content: z.string(),
  /** The session of the message. */
  run_id: z.string().nullable(),
  /** The time of the message. */
  created_at: z.string(),
});
export type Source = z.output<typeof Source>;

/** A memory with its source; null if the source was not kept. */
export const SourcedMemory = Memory.extend({ source: Source.nullable() });

/**
 * A memory as the store held it from `recorded_from` (inclusive) until `recorded_until` (exclusive;
 * null if it still does), by its own clock. `superseded_at` is when it ceased to be true, if what
 * came after it superseded it, or a part of it, so that the rest came after it.
 */
export const VersionedMemory = Memory.extend({
  recorded_from: z.string(),
  recorded_until: z.string().nullable(),
  superseded_at: z.string().nullable(),
  superseded_in_part: z.boolean(),
});

/** A memory reduced to the requested `fields`; `id` always stays. */
export const PartialMemory = Memory.partial().required({ id: true });
export type PartialMemory = z.output<typeof PartialMemory>;

/**
 * How well a memory answers the query, from 0 to 1. Without a model, it is the square root of the
 * share of the query's weight (inverse document frequency) that the memory carries; see
 * docs/search.md. A score of 0.3 means about a tenth of the weight.
 */
export const Score = z.number().min(0).max(1);

/** The parts of the score, which add up to it. */
export const ScoreBreakdown = z.object({
  /** Similarity of meaning. */
  semantic: Score,
  /** Query words in the memory, its neighbours or its session. */
  keyword: Score,
  /** The speaker. */
  entity: Score,
  /** The time of the message or of the event. */
  temporal: Score,
});
export type ScoreBreakdown = z.output<typeof ScoreBreakdown>;

/** A search result with its score. */
export const ScoredMemory = PartialMemory.extend({
  score: Score,
  score_breakdown: ScoreBreakdown.optional(),
});
export type ScoredMemory = z.output<typeof ScoredMemory>;
