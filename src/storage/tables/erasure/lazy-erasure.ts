import type { ErasureTable } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';

/** Few calls erase, so the code for that is loaded at the first use. */
export function lazyErasureTable(at: DbContext): ErasureTable {
  const open = async () => (await import('./erasure.ts')).createErasureTable(at);
  return {
    select: async (project, wanted, entity) => (await open()).select(project, wanted, entity),
    count: async (project, subject) => (await open()).count(project, subject),
    countOwn: async (project, subject) => (await open()).countOwn(project, subject),
    erase: async (project, subject) => (await open()).erase(project, subject),
    overwriteDeleted: async (project) => (await open()).overwriteDeleted(project),
  };
}
