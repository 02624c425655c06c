import type { Output } from '../../contract.ts';
import { dayOfTime, instantOf, isInstant, timeOf, today } from '../parts/times.ts';

type TimeInputProps = {
  label: string;
  /** A day, an instant or the name of a snapshot; empty where none is chosen. */
  value: string;
  onChange: (value: string) => void;
  snapshots: Output<'list_snapshots'>['results'];
  hasTime?: boolean;
};

/** A time as the API takes it: a day, a time of a day, or a snapshot. */
export function TimeInput({ label, value, onChange, snapshots, hasTime }: TimeInputProps) {
  const day = dayOfTime(value) ?? '';
  const isName = value !== '' && day === '';
  const names = snapshots.map(({ name }) => name);
  if (isName && !names.includes(value)) names.unshift(value); // it may be gone by now
  const time = isInstant(value) ? timeOf(value) : '';
  const set = (on: string, at: string) => onChange(on !== '' && at ? instantOf(on, at) : on);
  return (
    <fieldset class="time-input">
      <legend>{label}</legend>
      {names.length > 0 && (
        <select
          aria-label={`${label}: day or snapshot`}
          value={isName ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        >
          <option value="">a day</option>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      {!isName && (
        <input
          type="date"
          aria-label={`${label}: day`}
          max={today()}
          value={day}
          onChange={({ currentTarget }) => set(currentTarget.value, time)}
        />
      )}
      {!isName && hasTime && (
        <input
          type="time"
          aria-label={`${label}: time of day`}
          value={time}
          disabled={day === ''}
          onChange={({ currentTarget }) => set(day, currentTarget.value)}
        />
      )}
    </fieldset>
  );
}
