type ExpiryFieldProps = { date: string; onChange: (date: string) => void };

/** The last day of a memory; without one it stays. */
export function ExpiryField({ date, onChange }: ExpiryFieldProps) {
  return (
    <div class="field">
      <span>Last day</span>
      <div class="with-button">
        <input
          type="date"
          aria-label="Last day"
          value={date}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <button type="button" disabled={date === ''} onClick={() => onChange('')}>
          Never expires
        </button>
      </div>
    </div>
  );
}
