import type { Recall } from '../../contract/operations/recalls.ts';
import { type Cut, CutField } from '../../contract/schemas/search.ts';
import type { Output, Parsed } from '../../contract.ts';
import type { Deps, Instant, ProjectCall, StoredRecall } from '../ports/index.ts';
import { readInstant } from '../versions/resolve-time.ts';

/** The recalls of a project, newest first. */
export async function listRecalls(
  deps: Pick<Deps, 'store' | 'flushEvents' | 'timezone'>,
  { from, to, ...query }: Parsed<'list_recalls'>,
  { project }: ProjectCall,
): Promise<Output<'list_recalls'>> {
  await deps.flushEvents?.();
  const { results, total } = await deps.store.recalls.list(project, {
    ...query,
    ...boundOf('from', from, deps),
    ...boundOf('to', to, deps),
  });
  const { page, page_size } = query;
  return { results: results.map(toRecall), total, page, page_size };
}

/** A date is meant from its beginning to its end. */
function boundOf(
  field: 'from' | 'to',
  text: string | undefined,
  { timezone = 'UTC' }: Pick<Deps, 'timezone'>,
): { from?: Instant; to?: Instant } {
  if (text === undefined) return {};
  const edge = field === 'from' ? 'begin' : 'end';
  const instant = readInstant(text, { timezone, edge });
  return instant === undefined ? {} : { [field]: instant };
}

/** A recall as operations return it. */
export function toRecall({ asked, hits, ...recall }: StoredRecall): Recall {
  const { query, query_hash, as_of, valid_at, settings = {} } = asked;
  const { cut = cutOf(recall.operation, settings), ...others } = settings;
  return {
    ...recall,
    query: query ?? null,
    query_hash: query_hash ?? null,
    as_of: as_of ?? null,
    valid_at: valid_at ?? null,
    settings: others,
    cut: CutField.parse(cut),
    results: [...hits],
  };
}

/** The cut of a call that named none. */
function cutOf(operation: StoredRecall['operation'], settings: Record<string, unknown>): Cut {
  return operation === 'get_context' || settings.filter_memories === true ? 'relaxed' : 'off';
}
