import type { ProjectRef, Selection, Tables } from '../ports/index.ts';
import type { ScoredCandidate } from './scored-candidate.ts';

type NewestScope = {
  tables: { memories: Pick<Tables['memories'], 'listNewest'> };
  project: ProjectRef;
  selection: Selection;
};

/**
 * The newest memories, for a question that no word tells more of. None is a better answer than
 * another, so that each has just the score that the request asks for.
 */
export async function listNewestCandidates(
  { tables, project, selection }: NewestScope,
  { top_k, threshold }: { top_k: number; threshold: number },
): Promise<ScoredCandidate[]> {
  const newest = await tables.memories.listNewest(project, selection, { ...anyTime, limit: top_k });
  return newest.map(({ id }) => {
    const parts = { keyword: threshold, entity: 0, temporal: 0, semantic: 0 };
    return { id, score: threshold, parts };
  });
}

/** Instants compare as text. */
const anyTime = { from: '0000', to: '9999' };
