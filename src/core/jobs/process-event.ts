import { ApiError } from '../../contract/errors.ts';
import { contract, type Parsed } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse.ts';
import type { WriteResult } from '../../contract/schemas/change.ts';
import { scopeOf, textOf } from '../memory/add.ts';
import { applyFacts, noop } from '../memory/apply.ts';
import type { Deps, Fact, Instant, Job, JobPart } from '../ports.ts';
import { type ChangeUnit, changing } from '../webhooks/announce.ts';
import { later } from './later.ts';
import { pauseForOthers } from './pause.ts';

/** How long a claim keeps others away, and what ends the work early. */
export type Work = { lease_ms: number; signal: AbortSignal };

type Add = { job: Job; lease_ms: number; input: Parsed<'add_memory'>; started_at: Instant };

/**
 * Carries out one queued add: extracts facts outside any transaction, then stores them, settles the
 * event and removes the job in one. Many facts are stored part by part, so that nobody waits long
 * for his turn. A process that died before left whole parts only, and the next one goes on after
 * them; a process that lost its lease in between stores nothing more.
 */
export async function processEvent(deps: Deps, job: Job, work: Work): Promise<void> {
  const { store } = deps;
  const add = await begin(deps, job, work.lease_ms);
  if (add === null) return;
  if (!(await store.parts.hasAny(job))) {
    const facts = await extract(deps, add, work.signal);
    if (facts.length <= factsAtOnce) return storeAll(deps, add, facts);
    await plan(deps, add, facts);
  }
  while (await storePart(deps, add)) {
    await pauseForOthers();
    if (work.signal.aborted) throw new ApiError('unavailable', 'the server is shutting down');
  }
}

/** Takes a writer some hundredths of a second. */
const factsAtOnce = 100;

/** Marks the event as RUNNING; null when it is settled already. */
async function begin({ store, clock }: Deps, job: Job, lease_ms: number): Promise<Add | null> {
  const { project, subject_id } = job;
  const event = await store.events.find(project, subject_id);
  if (event === null || event.status === 'SUCCEEDED' || event.status === 'FAILED') {
    await store.jobs.finish(job);
    return null;
  }
  const started_at = clock.now();
  await store.transaction(async (tables) => {
    const patch = { status: 'RUNNING', started_at, updated_at: started_at } as const;
    await tables.events.update(project, subject_id, patch);
  });
  const input = parseInput<typeof contract.add_memory.input>(contract.add_memory, event.payload);
  return { job, lease_ms, input, started_at };
}

function extract({ extractor }: Deps, { input }: Add, signal: AbortSignal): Promise<Fact[]> {
  const { messages = [], includes, excludes, custom_instructions: instructions } = input;
  return extractor.extract(messages, {
    ...(includes !== undefined && { includes }),
    ...(excludes !== undefined && { excludes }),
    ...(instructions !== undefined && { instructions }),
    signal,
  });
}

async function storeAll(deps: Deps, add: Add, facts: readonly Fact[]): Promise<void> {
  const scope = scopeOf(add.input);
  await changing(deps, add.job.project, async (unit) => {
    if (!(await unit.tables.jobs.finish(add.job))) return;
    const results = await applyFacts(deps, unit, { facts, scope });
    if (results.length === 0) {
      const reason = 'the messages hold nothing to remember';
      results.push(noop(textOf(add.input), { id: null, scope, reason }));
    }
    await succeed(deps, unit, { add, results });
  });
}

/** Writes the facts down: another extraction might find others. */
async function plan({ store, clock }: Deps, add: Add, facts: readonly Fact[]): Promise<void> {
  const { job, input, lease_ms } = add;
  const numbers = new Map(input.messages?.map((message, number) => [message, number]));
  const noted = facts.map(({ text, source }) => {
    const number = numbers.get(source);
    if (number === undefined) throw new Error('a fact came from none of the messages');
    return [text, number] as const;
  });
  const parts: JobPart['facts'][] = [];
  for (let start = 0; start < noted.length; start += factsAtOnce) {
    parts.push(noted.slice(start, start + factsAtOnce));
  }
  await store.transaction(async (tables) => {
    const stillOurs = await tables.jobs.extend(job, later(clock.now(), lease_ms));
    if (stillOurs) await tables.parts.insert(job, parts);
  });
}

/** False when there is nothing more to do. */
function storePart(deps: Deps, add: Add): Promise<boolean> {
  const { job, input, lease_ms } = add;
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
    const { messages = [] } = input;
    const facts = part.facts.flatMap(([text, number]): Fact[] => {
      const source = messages[number];
      return source === undefined ? [] : [{ text, source }];
    });
    const results = await applyFacts(deps, unit, { facts, scope: scopeOf(input) });
    await parts.complete(job, part.number, results);
    return true;
  });
}

type End = { add: Add; results: WriteResult[] };

async function succeed({ clock }: Deps, { tables }: ChangeUnit, { add, results }: End) {
  const { job, started_at } = add;
  const completed_at = clock.now();
  await tables.events.update(job.project, job.subject_id, {
    status: 'SUCCEEDED',
    results,
    completed_at,
    updated_at: completed_at,
    latency: Date.parse(completed_at) - Date.parse(started_at),
  });
}

/** Settles an event whose every attempt failed. Its results are what was stored all the same. */
export async function failEvent(deps: Deps, job: Job, reason: string): Promise<void> {
  const now = deps.clock.now();
  await deps.store.transaction(async (tables) => {
    const results = await tables.parts.listResults(job);
    if (!(await tables.jobs.finish(job))) return;
    const ended = { error: reason, completed_at: now, updated_at: now };
    const patch = { status: 'FAILED', results, ...ended } as const;
    await tables.events.update(job.project, job.subject_id, patch);
  });
}
