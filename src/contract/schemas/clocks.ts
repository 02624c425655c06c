import * as z from 'zod';
import { limits } from '../limits.ts';
import { Timezone } from '../timezone.ts';
import { parseInstant } from './filter-value.ts';
import { isVisible } from './text.ts';
import { DateOrTimestamp, unixSecondsToInstant } from './time.ts';

/** The name of a snapshot. One that reads like a date would hide that date. */
export const SnapshotName = z
  .string()
  .trim()
  .regex(/^\s*[^\s\d]/, 'must not be empty or begin with a digit (dates do)')
  .max(limits.snapshot_name_max_chars)
  .refine(isVisible, 'must not hold control or hidden characters');

/** A time in the past: a date, meant to its end (or its beginning), a date-time or a snapshot. */
export const AsOf = z
  .preprocess(
    (value) => (typeof value === 'number' ? unixSecondsToInstant(value) : value),
    z.string().trim().regex(/\S/, 'must not be empty').max(limits.snapshot_name_max_chars),
  )
  .describe('As it was known at this time: 2026-05-01, or a snapshot');

/** When something was true, in the past or to come: a date, meant to its end, or a date-time. */
const ValidAt = DateOrTimestamp.describe('As it was true at this time');

/** The two clocks of a question: what was known at a time, and what was true at a time. */
export const bothClocks = { as_of: AsOf.optional(), valid_at: ValidAt.optional() };

/** A date, meant from its beginning in UTC, a date-time or Unix seconds; null is open. */
const ValidBound = DateOrTimestamp.overwrite(toInstant).nullable().optional();

/** Text that is not a time stays unchanged: the schema has refused it. */
function toInstant(text: string): string {
  try {
    return parseInstant({ field: 'valid_from', path: [] }, text);
  } catch {
    return text;
  }
}

/** From when (inclusive) until when (exclusive) a fact is true. */
export const validityFields = {
  valid_from: ValidBound.describe('True since this time'),
  valid_until: ValidBound.describe('True until this time'),
};

/** A check of an object: it begins to be true before it ends. */
export function checkValidity(
  { valid_from, valid_until }: z.output<z.ZodObject<typeof validityFields>>,
  ctx: z.RefinementCtx,
): void {
  if (!valid_from || !valid_until || valid_from < valid_until) return;
  ctx.addIssue({ code: 'custom', path: ['valid_until'], message: `must be after ${valid_from}` });
}

/** The days of questions and of expiry are those of this zone; the server's by default. */
export const TimezoneField = Timezone.optional().describe('Time zone, such as Europe/Berlin');
