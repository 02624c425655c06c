import type { VectorIndex } from './dialect.ts';
import type { VectorRoom } from './sqlite-vectors.ts';

/** Most stores hold no vectors: what works on them is loaded with the first use. */
export function lateVectorIndex(room: VectorRoom): VectorIndex {
  let opened: VectorIndex | null = null;
  const open = async (): Promise<VectorIndex> => {
    const { createVectorIndex } = await import('./sqlite-vectors.ts');
    opened ??= createVectorIndex(room);
    return opened;
  };
  return {
    create: async (db) => (await open()).create(db),
    put: async (db, entries) => (await open()).put(db, entries),
    delete: async (db, positions) => (await open()).delete(db, positions),
    nearest: async (db, query) => (await open()).nearest(db, query),
    similarities: async (db, query) => (await open()).similarities(db, query),
    clear: async (db, query) => (await open()).clear(db, query),
    bytes: () => opened?.bytes() ?? 0,
  };
}
