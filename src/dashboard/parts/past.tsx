import { pastDay, setParams } from './place.ts';
import { viewer } from './session.ts';
import { isDay, timeWords } from './times.ts';

/** What a request needs to ask about the day that is shown. */
export function asOfPast(): { as_of?: string } {
  return pastDay.value === null ? {} : { as_of: pastDay.value };
}

/** Says that the past is shown, on every view that shows it. */
export function PastBanner() {
  if (pastDay.value === null) return null;
  const edge = isDay(pastDay.value) ? 'at the end of' : 'at';
  return (
    <p class="past" role="status">
      You see what was known {edge} <strong>{timeWords(pastDay.value)}</strong> (
      {viewer.value?.timezone}). Nothing can be changed here.{' '}
      <button type="button" onClick={() => setParams({ as_of: undefined })}>
        Back to now
      </button>
    </p>
  );
}
