import * as z from 'zod';
import { limits } from '../limits.ts';
import { Message } from './message.ts';
import { cleanLine, tooLongError } from './text.ts';

/** The kinds of changes of a memory. */
export const changeTypes = ['ADD', 'UPDATE', 'DELETE'] as const;
export type Change = (typeof changeTypes)[number];

/**
 * The result of a write for one memory. NOOP means that nothing was stored, and `reason` says why,
 * so that no fact is dropped silently; its `id` is the memory that already holds the text, or null.
 * `may_replace` are ids of older memories that an added or updated one may contradict, as `reason`
 * says. With `find_similar`, `similar` are at most three others that a text resembles which is
 * stored as it is, the most alike first. None of them is changed.
 */
export const WriteResult = z.object({
  id: z.string().nullable(),
  event: z.enum([...changeTypes, 'NOOP']),
  memory: z.string(),
  data: z.object({ memory: z.string() }),
  user_id: z.string().nullable(),
  reason: z.string().optional(),
  may_replace: z.array(z.string()).optional(),
  similar: z.array(z.object({ id: z.string(), memory: z.string(), score: z.number() })).optional(),
});
export type WriteResult = z.output<typeof WriteResult>;

/** The record of one change. History outlives the memory: its last entry is the DELETE. */
export const HistoryEntry = z.object({
  id: z.string(),
  memory_id: z.string(),
  input: z.array(Message),
  old_memory: z.string().nullable(),
  new_memory: z.string().nullable(),
  user_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  app_id: z.string().nullable(),
  run_id: z.string().nullable(),
  event: z.enum(changeTypes),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  categories: z.array(z.string()),
  created_at: z.string(),
  updated_at: z.string(),
});
export type HistoryEntry = z.output<typeof HistoryEntry>;

/**
 * A change of one memory, the other fields that it set if the versions before and after it are
 * kept, and whether an undo made it.
 */
export const ToldChange = HistoryEntry.extend({
  changed: z.record(z.string(), z.unknown()).optional(),
  undo: z.boolean().optional(),
});
export type ToldChange = z.output<typeof ToldChange>;

/** Why a memory is rated so, on one line. */
export const FeedbackReason = z
  .string()
  .overwrite(cleanLine)
  .max(limits.feedback_reason_max_chars, tooLongError(limits.feedback_reason_max_chars));

export const feedbackValues = ['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'] as const;

/** A rating of one memory. A second rating replaces the first; null withdraws it. */
export const Feedback = z.object({
  id: z.string(),
  memory_id: z.string(),
  feedback: z.enum(feedbackValues).nullable(),
  feedback_reason: z.string().nullable(),
});
export type Feedback = z.output<typeof Feedback>;
