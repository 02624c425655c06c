/** The time in UTC as ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. */
export type Instant = string;

/** When the store made a change, by its own clock, and the event that tells of it, if one does. */
export type RecordedChange = { at: Instant; event_id: string | null };

/** A day of some calendar: its name (YYYY-MM-DD), and when it begins. */
export type DayStart = { day: string; begin: Instant };
