import * as z from 'zod';

/** A name of the IANA time zone database. */
export const Timezone = z
  .string()
  .refine(isTimezone, 'must be a time zone such as Europe/Berlin or UTC');

/** Whose days a question is counted in, and what expires at their end; that of the server else. */
export const TimezoneField = Timezone.optional().describe('Whose days, as Europe/Berlin');

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
