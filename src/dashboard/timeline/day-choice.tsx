import { dayMs, isoDayOf } from '../../contract/wall-clock.ts';
import { pastDay, setParams } from '../parts/place.ts';
import { dayOfTime, timeWords, today } from '../parts/times.ts';

/** A slider from the day of the first change to today, the present; null if it is not known yet. */
export function DayChoice({ first: firstDay }: { first: string | null }) {
  const first = firstDay ?? today();
  const days = Math.max(0, (Date.parse(today()) - Date.parse(first)) / dayMs);
  const day = (pastDay.value === null ? null : dayOfTime(pastDay.value)) ?? today();
  const position = Math.round((Date.parse(day) - Date.parse(first)) / dayMs);
  const words = pastDay.value === null ? 'now' : timeWords(pastDay.value);
  const choose = (day: string) =>
    setParams({ as_of: day === '' || day >= today() ? undefined : day }, { replace: true });
  const chooseAt = (index: number) =>
    choose(isoDayOf(new Date(Date.parse(first) + index * dayMs).toISOString()));
  return (
    <div class="slider">
      <label for="as-of">
        Show what was known: <strong>{words}</strong>
      </label>
      <div class="day-choice">
        <input
          id="as-of"
          type="range"
          min={0}
          max={days}
          value={position}
          disabled={days === 0}
          aria-valuetext={words}
          onInput={(event) => chooseAt(Number(event.currentTarget.value))}
        />
        <input
          type="date"
          aria-label="Day that is shown"
          min={first}
          max={today()}
          value={day}
          disabled={days === 0}
          onChange={(event) => choose(event.currentTarget.value)}
        />
      </div>
      <span class="quiet">{firstDay === null ? 'Loading…' : rangeWords(first, days)}</span>
    </div>
  );
}

function rangeWords(first: string, days: number): string {
  return days === 0
    ? 'From tomorrow on you can go back to the days before.'
    : `${first} to today. Memories and Ask will also show this date.`;
}
