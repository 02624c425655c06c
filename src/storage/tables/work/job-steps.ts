import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { Job, JobStep, JobStepTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson, toJson } from '../../sql/json.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { StatementsOf } from '../../sql/statement.ts';

/** Steps are deleted with their job. */
export const jobStepStatements: StatementsOf<JobStepTable> = {
  insert: { scope: 'job', run: insertSteps },
  hasAny: { scope: 'job', run: hasSteps },
  findNext: { scope: 'job', run: findNextStep },
  complete: { scope: 'job', run: completeStep },
  listResults: { scope: 'job', run: listStepResults },
};

type StepDecisions = JobStep['decisions'];
type StepResults = Awaited<ReturnType<JobStepTable['listResults']>>;

/** Steps per statement, a hundred decisions each: requests have their turn in between. */
const chunkSize = 10;

async function insertSteps(
  { db }: DbContext,
  job: Job,
  parts: readonly StepDecisions[],
): Promise<void> {
  for (let start = 0; start < parts.length; start += chunkSize) {
    if (start > 0) await turnOfOthers();
    const rows = parts.slice(start, start + chunkSize).map((decisions, at) => ({
      job_id: job.id,
      step_number: start + at,
      decisions: toJson(decisions),
      results: null,
    }));
    await db.insertInto('job_steps').values(rows).execute();
  }
}

async function hasSteps(at: DbContext, job: Job): Promise<boolean> {
  return (await findAnyStep(at, { job_id: job.id })).length > 0;
}

const findAnyStep = prepareStatement((db, value: StatementParameters<{ job_id: string }>) =>
  db.selectFrom('job_steps').select('step_number').where('job_id', '=', value('job_id')).limit(1),
);

async function findNextStep({ db }: DbContext, job: Job): Promise<JobStep | null> {
  const row = await db
    .selectFrom('job_steps')
    .select(['step_number', 'decisions'])
    .where('job_id', '=', job.id)
    .where('results', 'is', null)
    .orderBy('step_number')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { step_number: row.step_number, decisions: fromJson<StepDecisions>(row.decisions) };
}

/** Marks the step as done: its decisions have been applied. */
async function completeStep(
  { db }: DbContext,
  job: Job,
  number: number,
  results: Readonly<StepResults>,
): Promise<void> {
  await db
    .updateTable('job_steps')
    .set({ decisions: toJson([]), results: toJson(results) })
    .where('job_id', '=', job.id)
    .where('step_number', '=', number)
    .execute();
}

async function listStepResults({ db }: DbContext, job: Job): Promise<StepResults> {
  const listed: StepResults = [];
  for (let last = -1; ; await turnOfOthers()) {
    const rows = await db
      .selectFrom('job_steps')
      .select(['step_number', 'results'])
      .where('job_id', '=', job.id)
      .where('step_number', '>', last)
      .orderBy('step_number')
      .limit(chunkSize)
      .execute();
    for (const { results } of rows) {
      if (results !== null) listed.push(...fromJson<StepResults>(results));
    }
    const end = rows.at(-1);
    if (end === undefined || rows.length < chunkSize) return listed;
    last = end.step_number;
  }
}
