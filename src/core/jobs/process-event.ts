import { contract } from '../../contract/index.ts';
import { parseInput } from '../../contract/parse.ts';
import { scopeOf, textOf } from '../memory/add.ts';
import { applyFacts, noop } from '../memory/apply.ts';
import type { Deps, Job } from '../ports.ts';
import { changing } from '../webhooks/announce.ts';

/**
 * Carries out one queued add: extracts facts outside any transaction, then stores them, settles the
 * event and removes the job in one. A process that died before left nothing; a process that lost
 * its lease in between stores nothing.
 */
export async function processEvent(deps: Deps, job: Job, signal: AbortSignal): Promise<void> {
  const { store, clock, extractor } = deps;
  const { project, subject_id } = job;
  const event = await store.events.find(project, subject_id);
  if (event === null || event.status === 'SUCCEEDED' || event.status === 'FAILED') {
    await store.transaction(async (tables) => tables.jobs.finish(job));
    return;
  }
  const started_at = clock.now();
  await store.transaction(async (tables) => {
    const patch = { status: 'RUNNING', started_at, updated_at: started_at } as const;
    await tables.events.update(project, subject_id, patch);
  });

  const input = parseInput<typeof contract.add_memory.input>(contract.add_memory, event.payload);
  const { messages = [], includes, excludes, custom_instructions: instructions } = input;
  const facts = await extractor.extract(messages, {
    ...(includes !== undefined && { includes }),
    ...(excludes !== undefined && { excludes }),
    ...(instructions !== undefined && { instructions }),
    signal,
  });

  await changing(deps, project, async (unit) => {
    const { tables } = unit;
    if (!(await tables.jobs.finish(job))) return;
    const scope = scopeOf(input);
    const results = await applyFacts(deps, unit, { facts, scope });
    if (results.length === 0) {
      const reason = 'the messages hold nothing to remember';
      results.push(noop(textOf(input), { id: null, scope, reason }));
    }
    const completed_at = clock.now();
    await tables.events.update(project, subject_id, {
      status: 'SUCCEEDED',
      results,
      completed_at,
      updated_at: completed_at,
      latency: Date.parse(completed_at) - Date.parse(started_at),
    });
  });
}

/** Settles an event whose every attempt failed. */
export async function failEvent(deps: Deps, job: Job, reason: string): Promise<void> {
  const now = deps.clock.now();
  await deps.store.transaction(async (tables) => {
    if (!(await tables.jobs.finish(job))) return;
    const patch = { status: 'FAILED', error: reason, completed_at: now, updated_at: now } as const;
    await tables.events.update(job.project, job.subject_id, patch);
  });
}
