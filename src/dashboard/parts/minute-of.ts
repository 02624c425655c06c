/** An instant for people: its day and minute, in UTC as everywhere in mneme. */
export function minuteOf(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}
