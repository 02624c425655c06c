import * as z from 'zod';
import { limits } from '../limits.ts';
import { DateBound, parseInstant } from './filter-value.ts';

/** Unix seconds, also with a fraction. ISO 8601 text and digits in text are accepted too. */
export const Timestamp = z.preprocess(
  (value) => (typeof value === 'string' ? toUnixSeconds(value) : value),
  z
    .number({ error: ({ code }) => (code === 'invalid_type' ? timestampProblem : undefined) })
    .min(0)
    .max(limits.timestamp_max_seconds),
);

const timestampProblem = 'must be Unix seconds or a date-time (ISO 8601)';

/** A date or date-time; Unix seconds are accepted too. */
export const DateOrTimestamp = z.preprocess(
  (value) => (typeof value === 'number' ? unixSecondsToInstant(value) : value),
  DateBound,
);

/** Text that is not a time stays unchanged. */
function toUnixSeconds(text: string): number | string {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  try {
    return Date.parse(parseInstant({ field: 'created_at', path: [] }, text)) / 1000;
  } catch {
    return text;
  }
}

/** A number outside the range of dates stays unchanged. */
export function unixSecondsToInstant(seconds: number): string | number {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? seconds : date.toISOString();
}
