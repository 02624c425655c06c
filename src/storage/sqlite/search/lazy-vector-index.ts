import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type { VectorIndex } from '../../sql/dialect.ts';
import type { VectorCacheLimits } from './vector-index.ts';

type LoadedVectorIndex = StrictOmit<VectorIndex, 'committedUpTo'>;

/** Most stores have no vectors, so the code for them is loaded at the first use. */
export function lazyVectorIndex(cacheLimits: VectorCacheLimits): VectorIndex {
  let opened: LoadedVectorIndex | null = null;
  const open = async (): Promise<LoadedVectorIndex> => {
    const { createSqliteVectorIndex } = await import('./vector-index.ts');
    opened ??= createSqliteVectorIndex(cacheLimits);
    return opened;
  };
  return {
    insert: async (session, entries) => (await open()).insert(session, entries),
    put: async (db, entries) => (await open()).put(db, entries),
    delete: async (db, positions) => (await open()).delete(db, positions),
    count: async (db, positions) => (await open()).count(db, positions),
    preload: async (session, query) => (await open()).preload(session, query),
    nearest: async (session, query) => (await open()).nearest(session, query),
    similarities: async (session, query) => (await open()).similarities(session, query),
    // Positions grow in the order of commits, because writers take turns.
    committedUpTo: async () => Number.MAX_SAFE_INTEGER,
    clear: async (db, query) => (await open()).clear(db, query),
    bytes: () => opened?.bytes() ?? 0,
    close: async () => opened?.close(),
  };
}
