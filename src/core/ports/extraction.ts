import type { Granularity, MemoryType } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Instant } from './time.ts';

/** When the event of a memory happens: its first instant, and how exact that is. */
export type Occurrence = { at: Instant; granularity: Granularity };

/** From when (inclusive) until when (exclusive) something is true; null is open. */
export type Validity = { valid_from: Instant | null; valid_until: Instant | null };

/** A stored memory that a conversation may concern. */
export type RelatedMemory = {
  id: string;
  memory: string;
  immutable: boolean;
  created_at: Instant;
  type: MemoryType | null;
  slot: string | null;
  role: string | null;
  speaker: string | null;
  /** Ids of those that it may contradict. */
  may_replace: readonly string[];
};

/** How two entities are related; `User` stands for the speaker. */
export type StatedRelation = { source: string; relationship: string; target: string };

/** The change that one statement leads to. */
export type Decision = {
  event: 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP';
  /** The text to store; for DELETE and NOOP, the text of the statement. */
  text: string;
  /** Id of the known memory that UPDATE and DELETE change, or that NOOP repeats. */
  target: string | null;
  /** Index of its message, from 0. */
  message: number;
  /** The reason, for the event's results. */
  reason: string | null;
  type: MemoryType | null;
  /** The attribute that it states, such as `user:lives_in`. Only the newest value is kept. */
  slot: string | null;
  occurred: Occurrence | null;
  /** When it is true, if the words say so. */
  validity?: Validity;
  /**
   * It is true instead of the target from some time on; the target was not wrong until then. False
   * for an ADD that leaves another value of its slot where it is.
   */
  supersedes?: boolean;
  /** At most three older memories of the same owners that it may contradict; both stay. */
  may_replace?: string[];
  /** The original words if `text` differs from them; they are searchable too. */
  said: string | null;
  /** How likely it is right, from 0 to 1; texts stored as they are have none. */
  confidence?: number;
  /** `text` draws on the target as well, whose source then counts too. */
  mixes?: boolean;
  /** Set by a model or from the default catalogue; if absent, rules choose. */
  categories?: string[];
  /** Set by a model; if absent, rules find relations. */
  relations?: StatedRelation[];
};

/** The result of extracting from a conversation. */
export type ExtractionResult = {
  decisions: Decision[];
  /** `rules`, or the model's name. */
  by: string;
  /** A note for the event if extraction did not run as configured. */
  notice: string | null;
  /** Calls, tokens and milliseconds, if a model was used. */
  cost: { calls: number; input_tokens: number; output_tokens: number; ms: number } | null;
  /** Indexes of messages with dropped content, by reason. */
  dropped?: Record<string, number[]>;
  /** The messages without what the user asked not to remember; absent if that is nothing. */
  open?: Message[];
};

/** Instructions of an add for extraction; null if absent. */
export type ExtractionSettings = {
  includes: string | null;
  excludes: string | null;
  instructions: string | null;
  /** Category names with descriptions; null is the default catalogue. */
  categories: Record<string, string> | null;
};

export type Conversation = {
  messages: readonly Message[];
  known: readonly RelatedMemory[];
  /** The time of the conversation. */
  said_at: Instant;
  /** The wall clock there, as if it were UTC; `said_at` if missing. Dates are relative to it. */
  local_time?: Instant;
  settings: ExtractionSettings;
  /** Whether decisions include relations. */
  graph: boolean;
};

export type DatePart = 'year' | 'month' | 'day' | 'weekday' | 'hour' | 'minute';

/** A date or time in a text. What it leaves open is known from when it was said. */
export type ParsedDate = {
  /** The words, and where they begin. */
  text: string;
  index: number;
  /** It has an end, too. */
  isPeriod: boolean;
  values: Partial<Record<DatePart, number>>;
  certainParts: ReadonlySet<DatePart>;
};

/** Finds what looks like a date in a sentence of a language, relative to when it was said. */
export type DateReader = (
  text: string,
  about: { said_at: Instant; language: string },
) => Promise<readonly ParsedDate[]>;

/** A stored memory that a new text resembles; the score is from 0 to 1. */
export type Resembling = { id: string; memory: string; score: number; contradicted?: true };

/** The fields of a memory that are compared. */
export type MemoryStatement = Pick<RelatedMemory, 'id' | 'memory' | 'slot'>;

/** A stored memory, and the cosine of the angle between its vector and that of a new text. */
export type NearMemory = MemoryStatement & { similarity: number };

/**
 * Compares a text with the memories of its owners that are nearest to it: the id of one that it
 * repeats, and those that it resembles, the most alike first.
 */
export type Resembler = (
  text: string,
  near: readonly NearMemory[],
) => Promise<{ repeated: string | null; similar: Resembling[] }>;

/** Finds the date that a text names, relative to when it was said; null without one. */
export type VerbatimDater = (
  text: string,
  about: { said_at: Instant; timezone: string },
) => Promise<Occurrence | null>;

/**
 * Turns messages into decisions, outside any transaction. Bad model output is not an error: rules
 * take over, and `notice` says so. Throws `unavailable` to be retried later.
 */
export type Extractor = {
  /** Extraction is as fast as storing, so it needs no queue. */
  isQuick?: boolean;
  extract(conversation: Conversation, signal: AbortSignal): Promise<ExtractionResult>;
};

/**
 * A linear classifier: logistic regression over hashed features and over the values of a text's
 * vector. `tools/classifier/train.ts` makes it. One label has one row of `weights`, one byte for
 * each bucket, times its scale, and one row of `dense`, as long as a vector.
 */
export type LinearModel = {
  labels: readonly string[];
  buckets: number;
  weights: Int8Array;
  scales: Float32Array;
  biases: Float32Array;
  dense: Float32Array;
};

/** Models that distinguish orders to an agent from other texts. */
export type OrderModels = {
  orders: LinearModel;
  /** The vector of a text; null if its words are not known. */
  embed(text: string): Float32Array | null;
};

export type OrderReader = {
  /** Whether a text reads like orders to an agent. */
  readsLikeOrders: (text: string) => boolean;
  /** Judges a text that may be long in turns with others; `readsLikeOrders` knows it then. */
  judgeOrders: (text: string) => Promise<void>;
};

/** Models that extraction by rules has learned from labelled texts. */
export type ExtractionModels = {
  /** Whether what a user says to an assistant will help in a month, and whether it answers. */
  sentences: LinearModel;
  /** Whether a sentence asks to forget what is remembered. */
  forgetting: LinearModel;
  /** The vector of a text; null if its words are not known. */
  embed(text: string): Float32Array | null;
};
