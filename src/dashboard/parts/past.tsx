import { signal } from '@preact/signals';
import { viewer } from './session.ts';

/** The day whose knowledge the dashboard shows; null is now. */
export const pastDay = signal<string | null>(null);

/** What a request needs to ask about the day that is shown. */
export function asOfPast(): { as_of?: string } {
  return pastDay.value === null ? {} : { as_of: pastDay.value };
}

/** Says that the past is shown, on every view that shows it. */
export function PastBanner() {
  if (pastDay.value === null) return null;
  return (
    <p class="past" role="status">
      You see what was known at the end of <strong>{pastDay.value}</strong> (
      {viewer.value?.timezone}). Nothing can be changed here.{' '}
      <button
        type="button"
        onClick={() => {
          pastDay.value = null;
        }}
      >
        Back to now
      </button>
    </p>
  );
}
