import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Event, EventStatus, EventType } from '../../contract/schemas/event.ts';
import type { Decision } from './extraction.ts';
import type { ProjectRef } from './tenants.ts';
import type { Instant } from './time.ts';

export type StoredEvent = Event & EntityIds;

export type EventTable = {
  find(project: ProjectRef, id: string): Promise<StoredEvent | null>;
  insert(project: ProjectRef, event: StoredEvent): Promise<void>;
  update(project: ProjectRef, id: string, patch: EventPatch): Promise<void>;
  /** Newest first. */
  list(
    project: ProjectRef,
    query: {
      event_type?: EventType | undefined;
      status?: EventStatus | undefined;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEvent[]; total: number }>;
  /** How many there are of each type. */
  countByType(project: ProjectRef): Promise<Partial<Record<EventType, number>>>;
  insertMany(events: readonly { project: ProjectRef; event: StoredEvent }[]): Promise<void>;
  /** Forgets settled events older than this, at most `limit` of them; answers how many. */
  deleteSettledBefore(instant: Instant, limit: number): Promise<number>;
  /** Empties payload and results of every event of this entity, and settles those in progress. */
  redactByEntity(
    project: ProjectRef,
    entity: { type: EntityType; id: string },
    settle: EventPatch,
  ): Promise<void>;
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

/** The first answer to an `Idempotency-Key`, kept for a day. */
export type IdempotentAnswer = {
  /** Key of the answer: caller and header together. */
  id: string;
  /** Fingerprint of method, path and body. */
  request: string;
  /** Null while nothing of the first request has been written yet. */
  status: number | null;
  headers: Record<string, string>;
  body: string;
  created_at: Instant;
};

export type IdempotencyKeyTable = {
  /** Reserves the id for this request; answers who came before when it is taken. */
  reserve(answer: IdempotentAnswer): Promise<IdempotentAnswer | null>;
  complete(
    id: string,
    answer: Pick<IdempotentAnswer, 'status' | 'headers' | 'body'>,
  ): Promise<void>;
  /** Forgets an answer that is still as it was; true where it was. */
  release(answer: Pick<IdempotentAnswer, 'id' | 'status' | 'created_at'>): Promise<boolean>;
  deleteBefore(instant: Instant): Promise<number>;
};

/** A request that reserved its answer, and what is answered once something of it was written. */
export type IdempotentRequest = {
  reserved: IdempotentAnswer;
  placeholder: Parameters<IdempotencyKeyTable['complete']>[1];
};

/**
 * A queued unit of work. `attempts` counts the claims, this one included and those that were
 * deferred not; `deferrals` counts these.
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
  /** Whether any work of the project is queued or at hand. */
  hasAny(project: ProjectRef): Promise<boolean>;
  /** Claims the oldest job that is due and under no living lease. */
  claim(lease: { owner: string; now: Instant; until: Instant }): Promise<Job | null>;
  /** True when the job still belongs to this claim; others are kept away until then. */
  extendLease(job: Job, until: Instant): Promise<boolean>;
  /** True when the job still belongs to this claim; it is removed then, with its parts. */
  finish(job: Job): Promise<boolean>;
  /** Gives the job back, to run again at `run_at`; false when the lease was lost. */
  release(job: Job, run_at: Instant): Promise<boolean>;
  /** Gives the job back as if it had not been claimed, to run at `run_at`; false as `release`. */
  defer(job: Job, run_at: Instant): Promise<boolean>;
  /** Ends the leases of jobs on these: who has one can't finish it, and it is claimed anew. */
  revokeLeases(project: ProjectRef, subject_ids: readonly string[]): Promise<void>;
  /** How many jobs there are, waiting or at hand. */
  count(): Promise<number>;
  /** Removes queued work on events of this entity. */
  deleteByEntity(project: ProjectRef, type: EntityType, id: string): Promise<void>;
};

/** A decision that waits for being carried out, and the hash that its target must have then. */
export type PlannedDecision = Decision & { expected: string | null };

/** Some of the decisions that a long add came to. */
export type JobStep = { number: number; decisions: PlannedDecision[] };

/**
 * What a job has found and stores piece by piece. It is written down before the first piece, so
 * that whoever goes on after a failure has the same pieces.
 */
export type JobStepTable = {
  /** Numbers the parts from 0. */
  insert(job: Job, parts: readonly JobStep['decisions'][]): Promise<void>;
  /** True once parts were inserted, whether complete or not. */
  hasAny(job: Job): Promise<boolean>;
  /** The first part that is not complete. */
  findNext(job: Job): Promise<JobStep | null>;
  complete(job: Job, number: number, results: readonly WriteResult[]): Promise<void>;
  /** Results of the complete parts, in order. */
  listResults(job: Job): Promise<WriteResult[]>;
};

/** Wakes callers in this process that wait for an event to end. */
export type CompletionSignal = {
  complete(event_id: string): void;
  /** Resolves when the event ends in this process, or after so many milliseconds at the latest. */
  waitFor(event_id: string, waitMs: number): Promise<void>;
};
