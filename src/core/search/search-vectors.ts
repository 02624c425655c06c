import type {
  Deps,
  NearestVectors,
  ProjectRef,
  QueryEmbedder,
  QueryEmbedding,
  Selection,
} from '../ports/index.ts';

/** A query's vector that is being asked for. */
export type PendingEmbedding = ReturnType<QueryEmbedder['startEmbedding']>;

type SearchScope = {
  tables: Deps['store'];
  project: ProjectRef;
  selection: Selection;
  /** An upper bound of the selection's size. */
  size: number;
};

type VectorHits = { asked: QueryEmbedding; nearest: NearestVectors } | { warning: string | null };

/** The nearest memories once the query's vector is known, or why there are none. */
export function searchVectors(
  within: SearchScope,
  asking: PendingEmbedding | null,
  limit: number,
): Promise<VectorHits> {
  const looking =
    asking === null ? Promise.resolve({ warning: null }) : searchVectorsOnce(within, asking, limit);
  looking.catch(() => {}); // whoever awaits it hears of a failure
  return looking;
}

async function searchVectorsOnce(
  { tables, project, selection, size }: SearchScope,
  asking: PendingEmbedding,
  limit: number,
): Promise<VectorHits> {
  const begun = await asking;
  if ('warning' in begun) return begun;
  const { model } = begun;
  // Loads the vectors to compare while the model embeds the query.
  const preloaded = await tables.vectors.preload(project, selection, { model, size });
  const answer = await begun.embedding;
  if ('warning' in answer) return answer;
  const asked = { model, ...answer };
  const query = { ...asked, preloaded, size, limit };
  return { asked, nearest: await tables.vectors.searchNearest(project, selection, query) };
}
