import * as z from 'zod';
import { limits } from '../limits.ts';
import { unixSecondsToInstant } from './time.ts';

/** The name of a snapshot. One that reads like a date would hide that date. */
export const SnapshotName = z
  .string()
  .trim()
  .min(1)
  .max(limits.snapshot_name_max_chars)
  .refine((name) => !/^\d/.test(name), 'must not begin with a digit, as dates do');

/** A time in the past: a date, which is meant to its end in UTC, a date-time, or a snapshot. */
export const AsOf = z
  .preprocess(
    (value) => (typeof value === 'number' ? unixSecondsToInstant(value) : value),
    z.string().trim().min(1).max(limits.snapshot_name_max_chars),
  )
  .describe('Past time');
