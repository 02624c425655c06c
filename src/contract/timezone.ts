import * as z from 'zod';

/** A name of the IANA time zone database. */
export const Timezone = z
  .string()
  .refine(isTimezone, 'must be a time zone such as Europe/Berlin or UTC');

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
