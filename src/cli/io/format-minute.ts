/** A time as people read it, to the minute, in UTC; a dash for none. */
export function formatMinute(instant: string | null): string {
  return instant === null ? '-' : instant.slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' ');
}
