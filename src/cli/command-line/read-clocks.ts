import { dayMs } from '../../contract/wall-clock.ts';
import type { CommandArguments } from './flags.ts';

/** The times that a read asks about: what was known at one, and what was true at the other. */
export function readClocks({ as_of, valid_at }: CommandArguments['flags']): {
  as_of?: string;
  valid_at?: string;
} {
  return {
    ...(as_of !== undefined && { as_of: readTime(String(as_of)) }),
    ...(valid_at !== undefined && { valid_at: readTime(String(valid_at)) }),
  };
}

/** "10 minutes ago" as an instant; what is said otherwise is left to the operation. */
export function readTime(text: string): string {
  const ago = /^(\d{1,6}) (second|minute|hour|day|week)s? ago$/i.exec(text.trim());
  const unit = ago?.[2]?.toLowerCase() as keyof typeof unitMs | undefined; // one of the pattern's
  if (ago === null || unit === undefined) return text;
  return new Date(Date.now() - Number(ago[1]) * unitMs[unit]).toISOString();
}

const unitMs = {
  second: 1000,
  minute: 60 * 1000,
  hour: 3600 * 1000,
  day: dayMs,
  week: 7 * dayMs,
};
