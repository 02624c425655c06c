import type { Event, Operations, ProjectScope } from './operations.ts';
import type { RequestOptions } from './paged.ts';

/** Every operation as a method. Methods do not use `this`, so they can be passed around. */
export interface Client extends Operations {
  /**
   * Waits until a PENDING write is done, and returns its event, SUCCEEDED or FAILED.
   *
   * @throws {ApiError} invalid, not_found; unavailable when the time is over
   */
  waitForEvent(event_id: string, options?: WaitOptions): Promise<Event>;
}

/** How long to wait, and the project of the event: by default that of other requests. */
export interface WaitOptions extends RequestOptions, ProjectScope {
  /** Default 30,000. */
  timeout_ms?: number | undefined;
}
