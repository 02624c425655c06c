import type { Event, Operations, ProjectScope } from './operations.ts';
import type { RequestOptions } from './paged.ts';

/** Every operation as a method. Methods need no `this`: they may be passed on by themselves. */
export interface Client extends Operations {
  /**
   * Waits until a write that was answered PENDING is done, and answers its event, SUCCEEDED or
   * FAILED.
   *
   * @throws {ApiError} invalid, not_found; unavailable when the time is over
   */
  waitForEvent(event_id: string, options?: WaitOptions): Promise<Event>;
}

/** How long to wait, and where the event is: by default where requests go that name no project. */
export interface WaitOptions extends RequestOptions, ProjectScope {
  /** Default 30,000. */
  timeout_ms?: number | undefined;
}
