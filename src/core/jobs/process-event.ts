import { ApiError } from '../../contract/errors.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { contract } from '../../contract.ts';
import { eventToKeep } from '../history/source.ts';
import { type Add, addContextOf } from '../memory/add-context.ts';
import { applyDecisions } from '../memory/apply.ts';
import { decisionsPerTransaction, extractAdd } from '../memory/extract-add.ts';
import { type AddOutcome, addOutcome, finishAdd } from '../memory/finish-add.ts';
import type { Deps, Instant, Job, JobStep, PlannedDecision, StoredEvent } from '../ports/index.ts';
import { addMs } from '../queue/add-ms.ts';
import { runWithLease } from '../queue/keep-lease.ts';
import { yieldToWriters } from '../queue/pause.ts';
import { type OutboxUnitOfWork, withOutbox } from '../webhooks/outbox.ts';

/** How long a claim keeps others away, and what ends the work early. */
export type JobRun = { lease_ms: number; signal: AbortSignal };

type RunningAdd = Add & {
  job: Job;
  lease_ms: number;
  /** The input lacks what the user asked not to remember, and replaces what the event holds. */
  isCut?: true;
  started_at: Instant;
};

/**
 * Carries out one queued add: has the messages understood outside any transaction, then applies
 * the decisions, settles the event and removes the job in one. Many decisions are carried out part
 * by part, so that other writers wait only for one part. A process that died before left whole
 * parts only, and the next one goes on after them; a process that lost its lease in between stores
 * nothing more.
 */
export async function processEvent(deps: Deps, job: Job, work: JobRun): Promise<void> {
  const add = await startAdd(deps, job, work.lease_ms);
  if (add === null) return;
  await extractAndStore(deps, add, work);
  deps.completions.complete(job.subject_id);
}

async function extractAndStore(deps: Deps, begun: RunningAdd, work: JobRun): Promise<void> {
  let add = begun;
  if (!(await deps.store.jobSteps.hasAny(add.job))) {
    const extracted = await extractAdd(deps, add, (conversation) =>
      runWithLease(deps, { ...add, signal: work.signal }, (ended) =>
        deps.extractor.extract(conversation, ended),
      ),
    );
    const { decisions } = extracted;
    const isCut = extracted.add.input !== add.input;
    add = { ...add, ...extracted.add, ...(isCut && { isCut }) };
    if (decisions.length <= decisionsPerTransaction) return storeDecisions(deps, add, decisions);
    await storeJobSteps(deps, add, decisions);
  }
  while (await storeNextStep(deps, add)) {
    await yieldToWriters();
    if (work.signal.aborted) throw new ApiError('unavailable', 'the server is shutting down');
  }
}

/** Marks the event as RUNNING; null when it is settled or lost already, or its project is gone. */
async function startAdd(deps: Deps, job: Job, lease_ms: number): Promise<RunningAdd | null> {
  const { store } = deps;
  const { project: ref, subject_id } = job;
  const event = await store.events.find(ref, subject_id);
  const project = await store.projects.find({ org_id: ref.org_id, project_id: ref.project_id });
  const isSettled = event?.status === 'SUCCEEDED' || event?.status === 'FAILED';
  if (event === null || isSettled || project === null) {
    await store.jobs.finish(job);
    return null;
  }
  const started_at = await markRunning(deps, { job, event, lease_ms });
  if (started_at === null) return null;
  const input = parseInput<typeof contract.add_memory.input>(contract.add_memory, event.payload);
  const scope = addContextOf(input, project, deps);
  return { job, lease_ms, input, project, scope, metadata: event.metadata, started_at };
}

type EventStart = { job: Job; event: StoredEvent; lease_ms: number };

/** When the work began: the first claim has marked the event. Null where the job is lost. */
async function markRunning(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { job, event, lease_ms }: EventStart,
): Promise<Instant | null> {
  if (job.attempts === 1 && event.status === 'RUNNING') return event.started_at ?? clock.now();
  const started_at = clock.now();
  return store.transaction(async (tables) => {
    // A slow worker may have lost the job to another, which has settled the event by now.
    if (!(await tables.jobs.extendLease(job, addMs(started_at, lease_ms)))) return null;
    const patch = { status: 'RUNNING', started_at, updated_at: started_at } as const;
    await tables.events.update(job.project, job.subject_id, patch);
    return started_at;
  });
}

async function storeDecisions(
  deps: Deps,
  add: RunningAdd,
  decisions: readonly PlannedDecision[],
): Promise<void> {
  const { job } = add;
  await withOutbox(deps, job.project, async (unit) => {
    if (!(await unit.tables.jobs.finish(job))) return;
    const eventUnit = { ...unit, event_id: job.subject_id };
    const { outcome } = await finishAdd(deps, eventUnit, { add, decisions });
    await settleEvent(deps, unit, { add, outcome });
  });
}

/** Writes the decisions down: another understanding might come to others. */
async function storeJobSteps(
  { store, clock }: Deps,
  add: RunningAdd,
  decisions: readonly PlannedDecision[],
): Promise<void> {
  const { job, lease_ms, metadata } = add;
  const parts = fewDecisionsAtOnce(decisions);
  await store.transaction(async (tables) => {
    const now = clock.now();
    if (!(await tables.jobs.extendLease(job, addMs(now, lease_ms)))) return;
    await tables.jobSteps.insert(job, parts);
    const cut = add.isCut && { payload: add.input };
    await tables.events.update(job.project, job.subject_id, { metadata, ...cut, updated_at: now });
  });
}

/** The decisions of one transaction: fewer if texts are long, because other writers wait for it. */
function fewDecisionsAtOnce(decisions: readonly PlannedDecision[]): JobStep['decisions'][] {
  const parts: PlannedDecision[][] = [];
  let chars = 0;
  for (const decision of decisions) {
    const part = parts.at(-1);
    chars += decision.text.length;
    const isFull = (part?.length ?? 0) >= decisionsPerTransaction || chars > charsPerTransaction;
    if (part !== undefined && !isFull) {
      part.push(decision);
      continue;
    }
    parts.push([decision]);
    chars = decision.text.length;
  }
  return parts;
}

const charsPerTransaction = 10_000;

/** False when there is nothing more to do. */
async function storeNextStep(deps: Deps, add: RunningAdd): Promise<boolean> {
  const { job, lease_ms } = add;
  const next = await deps.store.jobSteps.findNext(job);
  // Nobody waits for what is judged before the transaction.
  for (const { text } of next?.decisions ?? []) await deps.judgeOrders(text);
  return withOutbox(deps, job.project, async (unit) => {
    const { jobs, jobSteps } = unit.tables;
    if (!(await jobs.extendLease(job, addMs(deps.clock.now(), lease_ms)))) return false;
    const part = await jobSteps.findNext(job);
    if (part === null) {
      const results = await jobSteps.listResults(job);
      await jobs.finish(job);
      await settleEvent(deps, unit, { add, outcome: addOutcome(deps, add, results) });
      return false;
    }
    const eventUnit = { ...unit, event_id: job.subject_id };
    const { messages = [] } = add.input;
    const { decisions } = part;
    const step = { decisions, messages, scope: add.scope };
    const results = await applyDecisions(deps, eventUnit, step);
    await jobSteps.complete(job, part.step_number, results);
    return true;
  });
}

async function settleEvent(
  { clock }: Pick<Deps, 'clock'>,
  { tables }: OutboxUnitOfWork,
  { add, outcome }: { add: RunningAdd; outcome: AddOutcome },
) {
  const { job, started_at, metadata } = add;
  const completed_at = clock.now();
  await tables.events.update(job.project, job.subject_id, {
    status: 'SUCCEEDED',
    metadata,
    ...(add.isCut && { payload: add.input }),
    ...outcome,
    completed_at,
    updated_at: completed_at,
    latency: Date.parse(completed_at) - Date.parse(started_at),
  });
}

/** Settles an event whose every attempt failed. Its results are what was stored all the same. */
export async function failEvent(deps: Deps, job: Job, reason: string): Promise<void> {
  const now = deps.clock.now();
  await deps.store.transaction(async (tables) => {
    const event = await tables.events.find(job.project, job.subject_id);
    const results = await tables.jobSteps.listResults(job);
    if (!(await tables.jobs.finish(job))) return;
    const ended = { error: reason, completed_at: now, updated_at: now };
    const record = eventToKeep(deps, event?.payload ?? {}, results);
    const patch = { status: 'FAILED', ...record, ...ended } as const;
    await tables.events.update(job.project, job.subject_id, patch);
  });
  deps.completions.complete(job.subject_id);
}
