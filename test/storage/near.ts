import type { Project, Selection, Store, VectorTable } from '../../src/core/ports.ts';

/** What `nearest` answers, with the ids of the memories. */
export async function nearestMemories(
  { store, project }: { store: Store; project: Project },
  selection: Selection,
  query: Parameters<VectorTable['nearest']>[2],
): Promise<{ id: string; position: number; similarity: number }[]> {
  const { neighbours } = await store.vectors.nearest(project, selection, query);
  const positions = neighbours.map(({ position }) => position);
  const memories = await store.memories.atPositions(project, positions);
  const ids = new Map(memories.map(({ id, position }) => [position, id]));
  return neighbours.map((one) => ({ id: ids.get(one.position) ?? 'gone', ...one }));
}
