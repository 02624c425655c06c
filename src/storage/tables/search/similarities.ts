import type { ProjectRef, VectorTable } from '../../../core/ports/index.ts';
import { createTurns, partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';

/** Few enough that reading their vectors does not delay other work. */
const positionsAtOnce = 1000;

export async function getSimilarities(
  at: DbContext,
  project: ProjectRef,
  { model, vector, positions }: Parameters<VectorTable['getSimilarities']>[1],
): Promise<Map<number, number>> {
  const all = new Map<number, number>();
  const yieldTurn = createTurns();
  for (const some of partsOf(positions, positionsAtOnce)) {
    await yieldTurn();
    const query = { project, model_key: model.key, vector, positions: some };
    const similarities = await at.dialect.vectorIndex.similarities(at, query);
    for (const [position, similarity] of similarities) all.set(position, similarity);
  }
  return all;
}

/** Compares texts whose vectors are not stored. */
export async function compareTexts(
  { inline }: DbContext,
  { model, vector, texts }: Parameters<VectorTable['compareTexts']>[0],
): Promise<Map<number, number>> {
  const all = new Map<number, number>();
  const embedder = inline?.embedder;
  if (!embedder || embedder.model.key !== model.key) return all;
  const yieldTurn = createTurns();
  for (const { position, memory } of texts) {
    await yieldTurn();
    const own = embedder.embed(memory);
    if (own === null) continue;
    const similarity = own.reduce((sum, value, index) => sum + value * (vector[index] ?? 0), 0);
    all.set(position, similarity);
  }
  return all;
}
