import type {
  Deps,
  NearestVectors,
  ProjectRef,
  QueryEmbedder,
  QueryEmbedding,
  Selection,
} from '../ports/index.ts';

/** A query whose vector is being made. */
export type PendingEmbedding = ReturnType<QueryEmbedder['startEmbedding']>;

type SearchScope = {
  tables: Deps['store'];
  project: ProjectRef;
  selection: Selection;
  /** An upper bound of the selection's size. */
  size: number;
};

type VectorHits =
  | { embedding: QueryEmbedding; nearest: NearestVectors }
  | { warning: string | null };

/** The nearest memories, as soon as the vector of the query is known, or a warning. */
export function searchVectors(
  within: SearchScope,
  asking: PendingEmbedding | null,
  limit: number,
): Promise<VectorHits> {
  const hits =
    asking === null ? Promise.resolve({ warning: null }) : searchVectorsOnce(within, asking, limit);
  hits.catch(() => {}); // the caller who awaits it gets the failure
  return hits;
}

async function searchVectorsOnce(
  { tables, project, selection, size }: SearchScope,
  asking: PendingEmbedding,
  limit: number,
): Promise<VectorHits> {
  const pending = await asking;
  if ('warning' in pending) return pending;
  const { model } = pending;
  // Loads the vectors to compare while the model embeds the query.
  const preloaded = await tables.vectors.preload(project, selection, { model, size });
  const answer = await pending.embedding;
  if ('warning' in answer) return answer;
  const embedding = { model, ...answer };
  const query = { ...embedding, preloaded, size, limit };
  return { embedding, nearest: await tables.vectors.searchNearest(project, selection, query) };
}
