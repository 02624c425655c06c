import type { changes } from '../../contract/operations/changes.ts';
import type { Deps, Handlers } from '../ports/index.ts';

/** Loaded with the first call, because few calls are about the past. */
export function createChangeHandlers(deps: Deps): Pick<Handlers, keyof typeof changes> {
  const snapshots = () => import('../versions/snapshots.ts');
  return {
    list_changes: async (input, call) => {
      const { listChanges } = await import('../versions/list-changes.ts');
      return listChanges(deps, input, call);
    },
    undo_changes: async (input, call) => {
      const { undoChanges } = await import('../versions/undo.ts');
      return undoChanges(deps, input, call);
    },
    diff_changes: async (input, call) => {
      const { diffChanges } = await import('../versions/diff.ts');
      return diffChanges(deps, input, call);
    },
    create_snapshot: async (input, call) => (await snapshots()).createSnapshot(deps, input, call),
    list_snapshots: async (_input, { project }) => ({
      results: await (await snapshots()).listSnapshots(deps.store, project),
    }),
    delete_snapshot: async (input, call) => (await snapshots()).deleteSnapshot(deps, input, call),
  };
}
