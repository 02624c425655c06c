import type { WriteResult } from '../../contract/schemas/change.ts';
import type { EntityIds, EntityType } from '../../contract/schemas/entity.ts';
import type { Event, EventStatus, EventType } from '../../contract/schemas/event.ts';
import type { Project } from './tenants.ts';
import type { Instant } from './time.ts';
import type { Decision } from './understanding.ts';

export type StoredEvent = Event & EntityIds;

export type EventTable = {
  find(project: Project, id: string): Promise<StoredEvent | null>;
  insert(project: Project, event: StoredEvent): Promise<void>;
  update(project: Project, id: string, patch: EventPatch): Promise<void>;
  /** Newest first. */
  list(
    project: Project,
    query: {
      event_type?: EventType | undefined;
      status?: EventStatus | undefined;
      page: number;
      page_size: number;
    },
  ): Promise<{ results: StoredEvent[]; total: number }>;
  /** How many there are of each type. */
  count(project: Project): Promise<Partial<Record<EventType, number>>>;
  insertMany(events: readonly { project: Project; event: StoredEvent }[]): Promise<void>;
  /** Forgets settled events older than this, at most `limit` of them; answers how many. */
  deleteSettledBefore(instant: Instant, limit: number): Promise<number>;
  /** Empties payload and results of every event of this entity, and settles those in progress. */
  redactByEntity(
    project: Project,
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
export type StoredAnswer = {
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

export type AnswerTable = {
  /** Reserves the id for this request; answers who came before when it is taken. */
  reserve(answer: StoredAnswer): Promise<StoredAnswer | null>;
  complete(id: string, answer: Pick<StoredAnswer, 'status' | 'headers' | 'body'>): Promise<void>;
  /** Forgets an answer that is still as it was; true where it was. */
  release(answer: Pick<StoredAnswer, 'id' | 'status' | 'created_at'>): Promise<boolean>;
  deleteBefore(instant: Instant): Promise<number>;
};

/** A request that reserved its answer, and what is answered once something of it was written. */
export type Carried = { reserved: StoredAnswer; meanwhile: Parameters<AnswerTable['complete']>[1] };

/**
 * A queued unit of work. `attempts` counts the claims, this one included and those that were
 * deferred not; `deferrals` counts these.
 */
export type Job = {
  id: string;
  kind: 'process_event' | 'build_export';
  project: Project;
  /** What the job works on: the event's or the export's id. */
  subject_id: string;
  attempts: number;
  deferrals: number;
  lease_owner: string;
};

export type JobTable = {
  enqueue(
    project: Project,
    job: { id: string; kind: Job['kind']; subject_id: string; run_at: Instant },
  ): Promise<void>;
  /** Whether any work of the project is queued or at hand. */
  hasAny(project: Project): Promise<boolean>;
  /** Claims the oldest job that is due and under no living lease. */
  claim(lease: { owner: string; now: Instant; until: Instant }): Promise<Job | null>;
  /** True when the job still belongs to this claim; others are kept away until then. */
  extend(job: Job, until: Instant): Promise<boolean>;
  /** True when the job still belongs to this claim; it is removed then, with its parts. */
  finish(job: Job): Promise<boolean>;
  /** Gives the job back, to run again at `run_at`; false when the lease was lost. */
  release(job: Job, run_at: Instant): Promise<boolean>;
  /** Gives the job back as if it had not been claimed, to run at `run_at`; false as `release`. */
  defer(job: Job, run_at: Instant): Promise<boolean>;
  /** Ends the leases of jobs on these: who has one can't finish it, and it is claimed anew. */
  revoke(project: Project, subject_ids: readonly string[]): Promise<void>;
  /** How many jobs there are, waiting or at hand. */
  count(): Promise<number>;
  /** Removes queued work on events of this entity. */
  deleteByEntity(project: Project, type: EntityType, id: string): Promise<void>;
};

/** A decision that waits for being carried out, and the hash that its target must have then. */
export type PlannedDecision = Decision & { expected: string | null };

/** Some of the decisions that a long add came to. */
export type JobPart = { number: number; decisions: PlannedDecision[] };

/**
 * What a job has found and stores piece by piece. It is written down before the first piece, so
 * that whoever goes on after a failure has the same pieces.
 */
export type PartTable = {
  /** Numbers the parts from 0. */
  insert(job: Job, parts: readonly JobPart['decisions'][]): Promise<void>;
  /** True once parts were inserted, whether complete or not. */
  hasAny(job: Job): Promise<boolean>;
  /** The first part that is not complete. */
  findNext(job: Job): Promise<JobPart | null>;
  complete(job: Job, number: number, results: readonly WriteResult[]): Promise<void>;
  /** Results of the complete parts, in order. */
  listResults(job: Job): Promise<WriteResult[]>;
};
