/** Units from the longest, each with its length in seconds; months and years are averages. */
const units = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** How long ago an instant is, in the longest whole unit: `3 days ago`, `just now`. */
export function relativeTime(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000;
  const unit = units.find(([, length]) => Math.abs(seconds) >= length);
  if (unit === undefined) return 'just now';
  const [name, length] = unit;
  return words.format(Math.trunc(seconds / length), name);
}
