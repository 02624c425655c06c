import { ApiError } from '../../contract/errors.ts';
import { contract, type Parsed } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { scopeOf, textOf } from '../memory/add-input.ts';
import { graphDone } from '../memory/add-scope.ts';
import { applyDecisions, type Decided, noop } from '../memory/apply.ts';
import { keptEvent } from '../memory/source.ts';
import type {
  Deps,
  Instant,
  Job,
  JobPart,
  PlannedDecision,
  StoredEvent,
  StoredProject,
} from '../ports.ts';
import {
  decisionsAtOnce,
  type Understood,
  understandAdd,
} from '../understanding/understand-add.ts';
import { type ChangeUnit, changing } from '../webhooks/announce.ts';
import { keepLease } from './keep-lease.ts';
import { later } from './later.ts';
import { pauseForOthers } from './pause.ts';

/** How long a claim keeps others away, and what ends the work early. */
export type Work = { lease_ms: number; signal: AbortSignal };

type Add = {
  job: Job;
  lease_ms: number;
  input: Parsed<'add_memory'>;
  project: StoredProject;
  /** What the event's metadata holds already. */
  metadata: Record<string, unknown>;
  started_at: Instant;
};

/**
 * Carries out one queued add: has the messages understood outside any transaction, then applies
 * the decisions, settles the event and removes the job in one. Many decisions are carried out part
 * by part, so that nobody waits long for his turn. A process that died before left whole parts
 * only, and the next one goes on after them; a process that lost its lease in between stores
 * nothing more.
 */
export async function processEvent(deps: Deps, job: Job, work: Work): Promise<void> {
  const add = await begin(deps, job, work.lease_ms);
  if (add === null) return;
  await complete(deps, add, work);
  deps.endings.ended(job.subject_id);
}

async function complete(deps: Deps, add: Add, work: Work): Promise<void> {
  const { job } = add;
  if (!(await deps.store.parts.hasAny(job))) {
    const understood = await understandAdd(deps, add, (conversation) =>
      keepLease(deps, { ...add, signal: work.signal }, (ended) =>
        deps.understander.understand(conversation, ended),
      ),
    );
    if (understood.decisions.length <= decisionsAtOnce) return storeAll(deps, add, understood);
    await plan(deps, add, understood);
  }
  while (await storePart(deps, add)) {
    await pauseForOthers();
    if (work.signal.aborted) throw new ApiError('unavailable', 'the server is shutting down');
  }
}

/** Marks the event as RUNNING; null when it is settled or lost already, or its project is gone. */
async function begin({ store, clock }: Deps, job: Job, lease_ms: number): Promise<Add | null> {
  const { project: ref, subject_id } = job;
  const event = await store.events.find(ref, subject_id);
  const project = await store.projects.find({ org_id: ref.org_id, project_id: ref.project_id });
  const isSettled = event?.status === 'SUCCEEDED' || event?.status === 'FAILED';
  if (event === null || isSettled || project === null) {
    await store.jobs.finish(job);
    return null;
  }
  const started_at = await start({ store, clock }, { job, event, lease_ms });
  if (started_at === null) return null;
  const input = parseInput<typeof contract.add_memory.input>(contract.add_memory, event.payload);
  return { job, lease_ms, input, project, metadata: event.metadata ?? {}, started_at };
}

type Start = { job: Job; event: StoredEvent; lease_ms: number };

/** When the work began: the first claim has marked the event. Null where the job is lost. */
async function start(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  { job, event, lease_ms }: Start,
): Promise<Instant | null> {
  if (job.attempts === 1 && event.status === 'RUNNING') return event.started_at ?? clock.now();
  const started_at = clock.now();
  return store.transaction(async (tables) => {
    // Who was slow may have lost it to another, who has settled the event by now.
    if (!(await tables.jobs.extend(job, later(started_at, lease_ms)))) return null;
    const patch = { status: 'RUNNING', started_at, updated_at: started_at } as const;
    await tables.events.update(job.project, job.subject_id, patch);
    return started_at;
  });
}

async function storeAll(deps: Deps, add: Add, { decisions, metadata }: Understood): Promise<void> {
  const { messages, scope } = partOf(add, decisions);
  await changing(deps, add.job.project, async (unit) => {
    if (!(await unit.tables.jobs.finish(add.job))) return;
    const results = await applyDecisions(deps, unit, { decisions, messages, scope });
    if (results.length === 0) {
      const reason = 'the messages hold nothing to remember';
      results.push(noop(textOf(add.input), { id: null, scope, reason }));
    }
    await succeed(deps, unit, { add, results, metadata });
  });
}

function partOf({ input, project }: Add, decisions: readonly PlannedDecision[]): Decided {
  return { decisions, messages: input.messages ?? [], scope: scopeOf(input, project) };
}

/** Writes the decisions down: another understanding might come to others. */
async function plan({ store, clock }: Deps, add: Add, understood: Understood): Promise<void> {
  const { job, lease_ms } = add;
  const { decisions, metadata } = understood;
  const parts: JobPart['decisions'][] = [];
  for (let start = 0; start < decisions.length; start += decisionsAtOnce) {
    parts.push(decisions.slice(start, start + decisionsAtOnce));
  }
  await store.transaction(async (tables) => {
    const now = clock.now();
    if (!(await tables.jobs.extend(job, later(now, lease_ms)))) return;
    await tables.parts.insert(job, parts);
    await tables.events.update(job.project, job.subject_id, { metadata, updated_at: now });
  });
}

/** False when there is nothing more to do. */
function storePart(deps: Deps, add: Add): Promise<boolean> {
  const { job, lease_ms } = add;
  return changing(deps, job.project, async (unit) => {
    const { jobs, parts } = unit.tables;
    if (!(await jobs.extend(job, later(deps.clock.now(), lease_ms)))) return false;
    const part = await parts.findNext(job);
    if (part === null) {
      const results = await parts.listResults(job);
      await jobs.finish(job);
      await succeed(deps, unit, { add, results });
      return false;
    }
    const results = await applyDecisions(deps, unit, partOf(add, part.decisions));
    await parts.complete(job, part.number, results);
    return true;
  });
}

type End = { add: Add; results: WriteResult[]; metadata?: Record<string, unknown> };

async function succeed(deps: Deps, { tables }: ChangeUnit, { add, results, metadata }: End) {
  const { job, started_at } = add;
  const completed_at = deps.clock.now();
  await tables.events.update(job.project, job.subject_id, {
    status: 'SUCCEEDED',
    ...keptEvent(deps, add.input, results),
    ...(metadata !== undefined && { metadata }),
    ...graphDone(scopeOf(add.input, add.project)),
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
    const results = await tables.parts.listResults(job);
    if (!(await tables.jobs.finish(job))) return;
    const ended = { error: reason, completed_at: now, updated_at: now };
    const told = keptEvent(deps, event?.payload ?? {}, results);
    const patch = { status: 'FAILED', ...told, ...ended } as const;
    await tables.events.update(job.project, job.subject_id, patch);
  });
  deps.endings.ended(job.subject_id);
}
