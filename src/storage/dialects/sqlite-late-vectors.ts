import type { VectorIndex } from './dialect.ts';
import type { VectorRoom } from './sqlite-vectors.ts';

type Opened = Omit<VectorIndex, 'settledTo'>;

/** Most stores hold no vectors: what works on them is loaded with the first use. */
export function lateVectorIndex(room: VectorRoom): VectorIndex {
  let opened: Opened | null = null;
  const open = async (): Promise<Opened> => {
    const { createVectorIndex } = await import('./sqlite-vectors.ts');
    opened ??= createVectorIndex(room);
    return opened;
  };
  return {
    create: async (db) => (await open()).create(db),
    put: async (db, entries) => (await open()).put(db, entries),
    delete: async (db, positions) => (await open()).delete(db, positions),
    gather: async (session, query) => (await open()).gather(session, query),
    nearest: async (session, query) => (await open()).nearest(session, query),
    similarities: async (session, query) => (await open()).similarities(session, query),
    // Positions grow in the order of commits: writers take turns.
    settledTo: async () => Number.MAX_SAFE_INTEGER,
    clear: async (db, query) => (await open()).clear(db, query),
    bytes: () => opened?.bytes() ?? 0,
    close: async () => opened?.close(),
  };
}
