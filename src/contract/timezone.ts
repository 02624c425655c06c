import * as z from 'zod';

const noTimezone = 'must be a time zone such as Europe/Berlin or UTC';

/** A name of the IANA time zone database. */
export const Timezone = z
  .string()
  .regex(/^[A-Za-z+-][\w+/:-]{0,63}$/, { error: noTimezone, abort: true })
  .refine(isTimezone, noTimezone);

function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
