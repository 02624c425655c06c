import * as z from 'zod';
import { WriteResult } from './change.ts';

export const eventTypes = [
  'ADD',
  'SEARCH',
  'UPDATE',
  'DELETE',
  'GET_ALL',
  'DELETE_ALL',
  'DELETE_ENTITY',
  'EXPORT',
  'UNDO',
] as const;
export type EventType = (typeof eventTypes)[number];

export const eventStatuses = ['PENDING', 'RUNNING', 'FAILED', 'SUCCEEDED'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/**
 * The processing record of a write. `started_at`, `completed_at` and `latency` (milliseconds from
 * start to end) are null until they are known; `error` says why a FAILED event failed.
 */
export const Event = z.object({
  id: z.string(),
  event_type: z.enum(eventTypes),
  status: z.enum(eventStatuses),
  payload: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).nullable(),
  results: z.array(WriteResult),
  error: z.string().nullable(),
  graph_status: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  latency: z.number().nullable(),
  /** The key of the call; null for the local user. */
  key_id: z.string().nullable(),
});
export type Event = z.output<typeof Event>;
