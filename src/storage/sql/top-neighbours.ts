import type { VectorNeighbour } from '../../core/ports/index.ts';

/** The nearest of the compared vectors. Sorting numbers is faster than sorting objects. */
export function topNeighbours(
  compared: ReadonlyMap<number, number>,
  limit: number,
): VectorNeighbour[] {
  const ascending = Float64Array.from(compared.values()).sort();
  const least = ascending[ascending.length - limit] ?? Number.NEGATIVE_INFINITY;
  const best: VectorNeighbour[] = [];
  for (const [position, similarity] of compared) {
    if (similarity >= least) best.push({ position, similarity });
  }
  return best
    .sort((a, b) => b.similarity - a.similarity || a.position - b.position)
    .slice(0, limit);
}
