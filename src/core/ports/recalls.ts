import type { RecallingOperation } from '../../contract/operations/recalls.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { ProjectRef } from './tenants.ts';
import type { DayStart, Instant } from './time.ts';

/** What a call asked: the question or its hash, and its fields that differ from the defaults. */
export type AskedQuestion = {
  query?: string;
  query_hash?: string;
  as_of?: Instant;
  valid_at?: string;
  settings?: Record<string, unknown>;
};

/** A memory of an answer; the score is null if it was listed rather than found. */
export type RecalledHit = { id: string; score: number | null };

/** A search or a context that was answered. */
export type StoredRecall = EntityIds & {
  id: string;
  operation: RecallingOperation;
  key_id: string | null;
  created_at: Instant;
  asked: AskedQuestion;
  /** The version of the ranking. */
  ranking: number;
  tokens: number;
  /** How many memories the answer had. */
  total: number;
  /** The first of them that the store has. */
  hits: readonly RecalledHit[];
};

export type RecallQuery = {
  [field in keyof EntityIds]?: string | undefined;
} & {
  operation?: RecallingOperation | undefined;
  from?: Instant | undefined;
  to?: Instant | undefined;
  page: number;
  page_size: number;
};

export type RecallTable = {
  find(project: ProjectRef, id: string): Promise<StoredRecall | null>;
  /** Newest first. */
  list(
    project: ProjectRef,
    query: RecallQuery,
  ): Promise<{ results: StoredRecall[]; total: number }>;
  /** The tokens of the answers of these days, by the day's name. */
  sumTokensByDay(project: ProjectRef, days: readonly DayStart[]): Promise<Record<string, number>>;
  insertMany(recalls: readonly { project: ProjectRef; recall: StoredRecall }[]): Promise<void>;
  /** Deletes up to `limit` recalls older than this; returns how many. */
  deleteBefore(instant: Instant, limit: number): Promise<number>;
};
