import { ApiError, invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { Snapshot } from '../../contract/operations/changes.ts';
import type { Parsed } from '../../contract.ts';
import type { Deps, ProjectCall, ProjectRef } from '../ports/index.ts';
import { findSnapshot, resolveAsOf } from './resolve-time.ts';

export async function createSnapshot(
  deps: Pick<Deps, 'store' | 'clock' | 'ids' | 'timezone'>,
  { name, as_of }: Parsed<'create_snapshot'>,
  { project }: ProjectCall,
): Promise<Snapshot> {
  const now = deps.clock.now();
  const asOf = as_of === undefined ? now : await resolveAsOf(deps, project, { as_of });
  return deps.store.transaction(async ({ documents }) => {
    const all = await documents.list<Snapshot>(project, 'snapshot');
    if (all.some((one) => one.name === name)) {
      throw new ApiError('conflict', `name: a snapshot of this name exists; delete it first`);
    }
    if (all.length >= limits.snapshots_max) {
      throw invalid('name', `the project has ${all.length} snapshots; delete one first`);
    }
    const snapshot = { name, as_of: asOf, created_at: now };
    const id = deps.ids.next();
    await documents.put(project, { kind: 'snapshot', id, value: { ...snapshot, id }, now });
    return snapshot;
  });
}

export async function listSnapshots(
  { documents }: Pick<Deps['store'], 'documents'>,
  project: ProjectRef,
): Promise<Snapshot[]> {
  const all = await documents.list<Snapshot>(project, 'snapshot');
  return all.map(({ name, as_of, created_at }) => ({ name, as_of, created_at }));
}

export async function deleteSnapshot(
  { store }: Pick<Deps, 'store'>,
  { name }: Parsed<'delete_snapshot'>,
  { project }: ProjectCall,
): Promise<{ message: string }> {
  return store.transaction(async ({ documents }) => {
    const snapshot = await findSnapshot({ documents }, project, name);
    if (snapshot === undefined) throw new ApiError('not_found', 'snapshot not found');
    await documents.delete(project, 'snapshot', snapshot.id);
    return { message: 'Snapshot deleted' };
  });
}
