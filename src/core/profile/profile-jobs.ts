import { ApiError } from '../../contract/errors.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import type { Deps, Instant, ProjectCall, ProjectRef } from '../ports/index.ts';
import { makeProfile, type ProfileOutput } from './make-profile.ts';

type ProfileJobOutput = StrictOmit<Output<'get_profile_job'>, 'job'>;

/** A job as it is kept: whom it was about, and no word of what it made. */
type StoredProfileJob = Pick<ProfileJobOutput, 'id' | 'operation' | 'entity_type' | 'entity_id'> & {
  entity_ids: string[];
  created_at: Instant;
};

/** Without a model a job is done at once. */
export async function createProfileJob(
  deps: Deps,
  { operation, entity_type, entity_id, limit }: Parsed<'create_profile_job'>,
  { project }: ProjectCall,
): Promise<Output<'create_profile_job'>> {
  const { store, clock, ids } = deps;
  const created_at = clock.now();
  const entity_ids =
    operation === 'trigger' && entity_id !== undefined
      ? [entity_id]
      : await sampleEntities(deps, project, { type: entity_type, limit });
  const id = ids.next();
  const about = { id, operation, entity_type, entity_id: entity_id ?? null };
  const job: StoredProfileJob = { ...about, entity_ids, created_at };
  await store.transaction((tables) =>
    tables.documents.put(project, { kind: 'profile_job', id, value: job, now: created_at }),
  );
  return { ...(await runProfileJob(deps, project, job)), replayed: false };
}

/** The job, with what it would make now. */
export async function getProfileJob(
  deps: Deps,
  { job_id }: Parsed<'get_profile_job'>,
  { project }: ProjectCall,
): Promise<Output<'get_profile_job'>> {
  const job = await deps.store.documents.find<StoredProfileJob>(project, 'profile_job', job_id);
  if (job === null) throw new ApiError('not_found', 'profile job not found');
  const answer = await runProfileJob(deps, project, job);
  return { ...answer, job: countProfiles(answer) };
}

/** The entities with the most memories. */
async function sampleEntities(
  { store }: Deps,
  project: ProjectRef,
  { type, limit }: { type: ProfileJobOutput['entity_type']; limit: number },
): Promise<string[]> {
  const { results } = await store.entities.list(project, { type, page: 1, page_size: 100 });
  const most = results.toSorted((one, other) => other.total_memories - one.total_memories);
  return most.slice(0, limit).map(({ id }) => id);
}

async function runProfileJob(
  deps: Deps,
  project: ProjectRef,
  job: StoredProfileJob,
): Promise<ProfileJobOutput> {
  const { id, entity_ids, operation, entity_type, created_at } = job;
  const profiles = await Promise.all(
    entity_ids.map((entity_id) => makeProfile(deps, project, { entity_type, entity_id })),
  );
  const status = jobStatusOf(profiles.map((profile) => profile.status));
  return {
    ...job,
    job_id: id,
    status_url: `/v2/profiles/jobs/${id}/`,
    status,
    entity_count_reserved: entity_ids.length,
    ...(operation === 'sample' && { sampled: entity_ids.length }),
    event_id: null,
    profiles,
    error: null,
    completed_at: created_at,
  };
}

function countProfiles({ id, operation, entity_type, status, profiles }: ProfileJobOutput) {
  const count = (isMeant: (profile: ProfileOutput) => boolean) => profiles.filter(isMeant).length;
  const total = profiles.length;
  const succeeded = count((profile) => profile.status === 'succeeded');
  const failed = count((profile) => profile.status === 'failed');
  return {
    id,
    operation,
    entity_type,
    status,
    total,
    completed: total,
    succeeded,
    failed,
    enumeration_complete: true as const,
    skipped: total - succeeded - failed,
  };
}

/** The status of the job follows from its profiles; a sample of nobody has too few memories. */
function jobStatusOf(statuses: readonly ProfileJobOutput['status'][]): ProfileJobOutput['status'] {
  return statuses.find((status) => status === 'succeeded') ?? statuses[0] ?? 'insufficient_data';
}
