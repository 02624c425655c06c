import type { ProjectRef, Selection, Store, VectorTable } from '../../src/core/ports/index.ts';

/** The result of `nearest`, with the ids of the memories. */
export async function nearestMemories(
  { store, project }: { store: Store; project: ProjectRef },
  selection: Selection,
  query: Parameters<VectorTable['searchNearest']>[2],
): Promise<{ id: string; position: number; similarity: number }[]> {
  const { neighbours } = await store.vectors.searchNearest(project, selection, query);
  const positions = neighbours.map(({ position }) => position);
  const memories = await store.memories.listByPositions(project, positions);
  const ids = new Map(memories.map(({ id, position }) => [position, id]));
  return neighbours.map((one) => ({ id: ids.get(one.position) ?? 'gone', ...one }));
}
