import type { Granularity, MemoryType } from '../../contract/schemas/memory.ts';
import type { Message } from '../../contract/schemas/message.ts';
import type { Instant } from './time.ts';

/** When what a memory tells of happens: the first instant of it, and how exact that is. */
export type Occurrence = { at: Instant; granularity: Granularity };

/** A stored memory that a conversation may be about. */
export type RelatedMemory = {
  id: string;
  memory: string;
  immutable: boolean;
  created_at: Instant;
  type: MemoryType | null;
  slot: string | null;
  role: string | null;
  speaker: string | null;
};

/** How two entities belong together; `User` stands for whoever speaks. */
export type StatedRelation = { source: string; relationship: string; target: string };

/** What is to be done about one thing that was said. */
export type Decision = {
  event: 'ADD' | 'UPDATE' | 'DELETE' | 'NOOP';
  /** The memory as it is to be stored; for DELETE and NOOP what was said. */
  text: string;
  /** Id of the known memory that UPDATE and DELETE change, or that NOOP repeats. */
  target: string | null;
  /** Number of the message that it came from, counted from 0. */
  message: number;
  /** Why, for the event's results. */
  reason: string | null;
  type: MemoryType | null;
  /** What it tells, like `user:lives_in`: of one slot there is one memory, the newest. */
  slot: string | null;
  occurred: Occurrence | null;
  /** The words as they were said, where `text` differs: it is found by them too. */
  said: string | null;
  /** Where a model chose them, or the default catalogue has them; else rules do. */
  categories?: string[];
  /** Where a model found some for the graph; else rules do. */
  relations?: StatedRelation[];
};

/** What a conversation came to. */
export type ExtractionResult = {
  decisions: Decision[];
  /** `rules`, or the model's name. */
  by: string;
  /** What went otherwise than configured, in words for the event. */
  notice: string | null;
  /** Milliseconds and tokens, where a model was asked. */
  cost: { calls: number; input_tokens: number; output_tokens: number; ms: number } | null;
  /** Numbers of the messages of which something was left out, by the reason. */
  dropped?: Record<string, number[]>;
};

/** What whoever adds asked for; null and empty where nothing was. */
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
  now: Instant;
  /** When it was said; dates in it are counted from here. */
  said_at: Instant;
  settings: ExtractionSettings;
  /** Whether decisions are to tell relations too. */
  graph: boolean;
};

/**
 * When what a sentence tells of happens, counted from when it was said; null where it names no
 * date. `tense` decides what "on Friday" means.
 */
export type DateReader = (
  text: string,
  about: { said_at: Instant; language: string; tense: 'past' | 'future' | null },
) => Promise<Occurrence | null>;

/**
 * Turns messages into decisions, outside of any transaction. A model's bad answers are no error:
 * rules take over then, and `notice` says so. Throws `unavailable` to be asked again later.
 */
export type Extractor = {
  /** Takes no longer than storing does, so that nobody needs a queue for it. */
  isQuick?: boolean;
  extract(conversation: Conversation, signal: AbortSignal): Promise<ExtractionResult>;
};
