/** The time in UTC as ISO 8601 with milliseconds: `2026-01-31T12:00:00.000Z`. */
export type Instant = string;
