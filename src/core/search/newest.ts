import type { Parsed } from '../../contract.ts';
import type { Instant } from '../ports/index.ts';
import type { CandidateScope } from './candidates.ts';
import { isAboutNothing, type ParsedQuery } from './query/query.ts';
import type { ScoredCandidate } from './rank/scored-candidate.ts';
import { type SearchTrace, tracedStage } from './search-trace.ts';

type ListedInput = Pick<
  Parsed<'search_memories'>,
  'query' | 'top_k' | 'threshold' | 'reference_date'
> & { trace?: SearchTrace | undefined };

/**
 * Memories that are listed rather than ranked; `note` says that nothing is remembered about the
 * days.
 */
export type ListedCandidates = {
  ranked: ScoredCandidate[];
  naming: never[];
  warning: null;
  isNewest: true;
  note: string | null;
};

/**
 * Answers a question for everything on a day, or one that says nothing about its answer; null for
 * others.
 */
export async function listUnscored(
  within: CandidateScope,
  question: ParsedQuery,
  { now, ...input }: ListedInput & { now: Instant },
): Promise<ListedCandidates | null> {
  const { days } = question;
  if (days === null) return isAboutNothing(question) ? rankNewest(within, input) : null;
  const { listDays, nothingOn } = await import('./list-days.ts'); // few ask for a day
  const ranked = await listDays(within, days);
  input.trace?.push(tracedStage('dates', ranked, { query: input.query }));
  const note = ranked.length === 0 ? nothingOn(days.date, input.reference_date ?? now) : null;
  return { ...listed, naming: [], ranked, note };
}

const listed = { warning: null, isNewest: true, note: null } as const;

/**
 * Lists the newest memories for a question without a word about its subject or its answer. All are
 * equally good answers, so each gets exactly the score that the request asks for.
 */
export async function rankNewest(
  { tables, project, selection }: CandidateScope,
  { query, top_k, threshold, trace }: ListedInput,
): Promise<ListedCandidates> {
  const newest = await tables.memories.listNewest(project, selection, { ...anyTime, limit: top_k });
  const ranked = newest.map(({ id }) => {
    const parts = { keyword: threshold, entity: 0, temporal: 0, semantic: 0 };
    return { id, score: threshold, parts };
  });
  trace?.push(tracedStage('recent', ranked, { query, limit: top_k }));
  return { ...listed, naming: [], ranked };
}

/** Instants compare as text. */
const anyTime = { from: '0000', to: '9999' };
