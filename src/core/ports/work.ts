import type { IdempotencyStore } from '../../contract/http-binding.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Event, EventStatus, EventType } from '../../contract/schemas/event.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Decision } from './extraction.ts';
import type { ProjectRef } from './tenants.ts';
import type { DayStart, Instant } from './time.ts';

export type StoredEvent = Event & EntityIds;

export type EventTable = {
  find(project: ProjectRef, id: string): Promise<StoredEvent | null>;
  insert(project: ProjectRef, event: StoredEvent): Promise<void>;
  /** The ids of events that this key made, and that changed since this time. */
  listIdsOfKey(project: ProjectRef, key_id: string, since: Instant): Promise<string[]>;
  /** The ids of these events that are undos. */
  listUndos(project: ProjectRef, ids: readonly string[]): Promise<string[]>;
  update(project: ProjectRef, id: string, patch: EventPatch): Promise<void>;
  /** Newest first. */
  list(
    project: ProjectRef,
    query: {
      event_type?: EventType | undefined;
      except_event_type?: EventType | undefined;
      entity_type?: EntityType | undefined;
      entity_id?: string | undefined;
      status?: EventStatus | undefined;
      /** Only those that carry all of these. */
      owners?: Partial<EntityIds>;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEvent[]; total: number }>;
  /** The events whose adds are queued or under way. */
  listQueued(project: ProjectRef): Promise<(EntityIds & Pick<Event, 'id'>)[]>;
  /** The number of events of each type. */
  countByType(project: ProjectRef): Promise<Partial<Record<EventType, number>>>;
  /** The number of events of a type for each of these days, by its name. */
  countByDay(
    project: ProjectRef,
    query: { event_type: EventType; days: readonly DayStart[] },
  ): Promise<Record<string, number>>;
  insertMany(events: readonly { project: ProjectRef; event: StoredEvent }[]): Promise<void>;
  /** Deletes up to `limit` settled events older than this; returns how many. */
  deleteSettledBefore(instant: Instant, limit: number): Promise<number>;
  /** Settles those of these events that are in progress, and removes their queued work. */
  settleUnfinished(project: ProjectRef, ids: readonly string[], settle: EventPatch): Promise<void>;
};

export type EventPatch = Partial<
  Pick<
    StoredEvent,
    | 'status'
    | 'payload'
    | 'results'
    | 'error'
    | 'metadata'
    | 'started_at'
    | 'completed_at'
    | 'latency'
  >
> & { updated_at: Instant };

export type IdempotencyKeyTable = StrictOmit<IdempotencyStore, 'runIdempotent'> & {
  deleteBefore(instant: Instant): Promise<number>;
};

/**
 * A queued unit of work. `attempts` counts claims, including this one, except deferred ones, which
 * `deferrals` counts.
 */
export type Job = {
  id: string;
  kind: 'process_event' | 'build_export';
  project: ProjectRef;
  /** What the job works on: the event's or the export's id. */
  subject_id: string;
  attempts: number;
  deferrals: number;
  lease_owner: string;
};

export type JobTable = {
  enqueue(
    project: ProjectRef,
    job: { id: string; kind: Job['kind']; subject_id: string; run_at: Instant },
  ): Promise<void>;
  /** Whether any job of the project is queued or running. */
  hasAny(project: ProjectRef): Promise<boolean>;
  /** Claims the oldest due job without a valid lease. */
  claim(lease: { owner: string; now: Instant; until: Instant }): Promise<Job | null>;
  /**
   * Mends times that a clock which stepped back has left ahead: jobs later than `latest_run` are
   * due at `now`, and leases longer than `latest_leases` end at `until`.
   */
  bringForward(times: {
    now: Instant;
    until: Instant;
    latest_run: Instant;
    /** By the number of attempts, from 1; the last one is for all that have more. */
    latest_leases: readonly Instant[];
  }): Promise<void>;
  /** Extends the lease; false if the claim was lost. */
  extendLease(job: Job, until: Instant): Promise<boolean>;
  /** Removes the job with its steps; false if the claim was lost. */
  finish(job: Job): Promise<boolean>;
  /** Returns the job to the queue, to run at `run_at`; false if the lease was lost. */
  release(job: Job, run_at: Instant): Promise<boolean>;
  /** Like `release`, but does not count the claim as an attempt. */
  defer(job: Job, run_at: Instant): Promise<boolean>;
  /**
   * Ends the leases of jobs on these subjects: their holders can't finish them, and they are
   * claimed again.
   */
  revokeLeases(project: ProjectRef, subject_ids: readonly string[]): Promise<void>;
  /** The number of jobs, queued or running. */
  count(): Promise<number>;
};

/** A decision to be applied, and the hash that its target must still have. */
export type PlannedDecision = Decision & { expected: string | null };

/** Some of the decisions of a long add. */
export type JobStep = { step_number: number; decisions: PlannedDecision[] };

/**
 * The steps in which a job stores a long result. They are saved before the first one runs, so that
 * a retry continues with the same steps.
 */
export type JobStepTable = {
  /** Numbers the steps from 0. */
  insert(job: Job, parts: readonly JobStep['decisions'][]): Promise<void>;
  /** True once steps were inserted, complete or not. */
  hasAny(job: Job): Promise<boolean>;
  /** The first step that is not complete. */
  findNext(job: Job): Promise<JobStep | null>;
  complete(job: Job, number: number, results: readonly WriteResult[]): Promise<void>;
  /** Results of the complete steps, in order. */
  listResults(job: Job): Promise<WriteResult[]>;
};

/** Wakes callers in this process that wait for an event to complete. */
export type CompletionSignal = {
  complete(event_id: string): void;
  /** Resolves when the event completes in this process, or after `waitMs` at the latest. */
  waitFor(event_id: string, waitMs: number): Promise<void>;
};
