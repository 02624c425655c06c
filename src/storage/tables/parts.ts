import type { Job, JobStep, JobStepTable } from '../../core/ports/index.ts';
import { fromJson, toJson } from '../json.ts';
import { prepared, type Values } from '../prepared.ts';
import type { At } from './at.ts';

/** Parts go with their job. */
export function createPartTable(at: At): JobStepTable {
  return {
    insert: (job, parts) => insertParts(at, job, parts),
    hasAny: (job) => hasAny(at, job),
    findNext: (job) => findNext(at, job),
    complete: (job, number, results) => completePart(at, job, { number, results }),
    listResults: (job) => listResults(at, job),
  };
}

type Decisions = JobStep['decisions'];
type Results = Awaited<ReturnType<JobStepTable['listResults']>>;

/** Parts in one statement. */
const chunkSize = 100;

async function insertParts({ db }: At, job: Job, parts: readonly Decisions[]): Promise<void> {
  const rows = parts.map((decisions, number) => ({
    job_id: job.id,
    number,
    decisions: toJson(decisions),
    results: null,
  }));
  for (let start = 0; start < rows.length; start += chunkSize) {
    await db
      .insertInto('job_parts')
      .values(rows.slice(start, start + chunkSize))
      .execute();
  }
}

async function hasAny(at: At, job: Job): Promise<boolean> {
  return (await findFirst(at, { job_id: job.id })).length > 0;
}

const findFirst = prepared((db, value: Values<{ job_id: string }>) =>
  db.selectFrom('job_parts').select('number').where('job_id', '=', value('job_id')).limit(1),
);

async function findNext({ db }: At, job: Job): Promise<JobStep | null> {
  const row = await db
    .selectFrom('job_parts')
    .select(['number', 'decisions'])
    .where('job_id', '=', job.id)
    .where('results', 'is', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { number: row.number, decisions: fromJson<Decisions>(row.decisions) };
}

/** The decisions are carried out now. */
async function completePart(
  { db }: At,
  job: Job,
  { number, results }: { number: number; results: Readonly<Results> },
): Promise<void> {
  await db
    .updateTable('job_parts')
    .set({ decisions: toJson([]), results: toJson(results) })
    .where('job_id', '=', job.id)
    .where('number', '=', number)
    .execute();
}

async function listResults({ db }: At, job: Job): Promise<Results> {
  const rows = await db
    .selectFrom('job_parts')
    .select('results')
    .where('job_id', '=', job.id)
    .orderBy('number')
    .execute();
  return rows.flatMap(({ results }) => (results === null ? [] : fromJson<Results>(results)));
}
