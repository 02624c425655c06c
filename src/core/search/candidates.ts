import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Parsed } from '../../contract.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
import { bm25 } from '../bm25.ts';
import { aliasesIn, type FoundAlias } from '../language/aliases.ts';
import { aliasMark, statedAliases } from '../language/stated-aliases.ts';
import type {
  Candidate,
  CandidatePart,
  CandidateQuery,
  Instant,
  ProjectRef,
  QueryTerm,
  RunPlace,
  Selection,
  StoredMemory,
  Tables,
  TimeRange,
} from '../ports/index.ts';
import { widened, type ZonedDays } from './query/days/calendar.ts';
import type { QueryDate } from './query/days/query-dates.ts';
import type { ParsedQuery } from './query/query.ts';
import { contextWindow } from './rank/context-window.ts';
import { holdsTerm } from './rank/passages.ts';
import { type SearchTrace, tracedStage } from './search-trace.ts';

type CandidateQueries = 'listCandidates' | 'listNewest' | 'listByOccurrence' | 'listByRunPlaces';
export type CandidateScope = {
  tables: { memories: Pick<Tables['memories'], CandidateQueries> };
  project: ProjectRef;
  selection: Selection;
  /** An upper bound of the number of memories in the selection. */
  size: number;
};

/**
 * The memories that may answer the question: up to `limit` found by its words, others found by its
 * dates, and what was said around the likeliest `contexts` of them.
 */
export async function findCandidates(
  within: CandidateScope,
  question: ParsedQuery,
  { limit, contexts, trace, query: questionText, mark }: CandidateReach,
): Promise<Candidate[]> {
  const { tables, project, selection, size } = within;
  const { terms, dates } = question;
  const dateHits: Candidate[] = [];
  const parts: CandidatePart[] = [];
  for (const date of dates) {
    const newest = await findNewest(within, date);
    if (newest.length >= datedCandidatesMax)
      parts.push({ timeRanges: date.map(toTimeRange), limit: datedCandidatesMax });
    dateHits.push(...newest, ...(await findOccurring(within, date)));
  }
  const words = terms.map(wordsOfTerm);
  const searchTerms = mark && words.length > 0 ? [...words, [aliasMark]] : words;
  const query: CandidateQuery = { terms: searchTerms, bm25, limit, size, parts };
  const listing = await tables.memories.listCandidates(project, selection, query);
  const wordHits = mark ? listing.filter((one) => holdsMoreThanMark(one, words)) : listing;
  const candidates = uniqueById([...wordHits, ...dateHits]);
  const context = await findContext(within, candidates, contexts);
  trace?.push(tracedStage('words', wordHits, { query: questionText, limit }));
  trace?.push(tracedStage('dates', dateHits, { query: questionText }));
  trace?.push(tracedStage('neighbours', context, { query: questionText }));
  return [...candidates, ...context];
}

/** True if a memory was found by a word of the question, not by its mark alone. */
function holdsMoreThanMark({ terms, speaker_terms }: Candidate, words: readonly QueryTerm[]) {
  if (!holdsTerm(aliasMark, terms)) return true;
  const holds = (form: string) => holdsTerm(form, terms) || holdsTerm(form, speaker_terms);
  return words.some((forms) => forms.some(holds));
}

/**
 * A store knows only words: it finds memories with a word of a phrase, and ranking looks for the
 * phrase.
 */
function wordsOfTerm(term: QueryTerm): QueryTerm {
  return [...new Set(term.flatMap((form) => form.split(' ')))];
}

export type CandidateReach = {
  /** True if memories that state names are found before others (`aliasMark`). */
  mark?: boolean;
  limit: number;
  contexts: number;
  /** The question, for the explanation of the search. */
  query: string;
  trace?: SearchTrace | undefined;
};

/**
 * At most this many memories per date. A day or week rarely has more; in a month or year the words
 * decide.
 */
const datedCandidatesMax = 100;

async function findNewest(
  { tables: { memories }, project, selection }: CandidateScope,
  date: QueryDate,
): Promise<Candidate[]> {
  const newest: Candidate[] = [];
  // One range after the other, the latest first: each is a lookup in the time index.
  for (const days of date) {
    const range = { ...toTimeRange(days), limit: datedCandidatesMax - newest.length };
    newest.push(...(await memories.listNewest(project, selection, range)));
    if (newest.length >= datedCandidatesMax) break;
  }
  return newest;
}

/** Finds what was said on the days, and what begins on them. */
export async function findDated(within: CandidateScope, date: QueryDate): Promise<Candidate[]> {
  return [...(await findNewest(within, date)), ...(await findOccurring(within, date))];
}

/**
 * Finds what begins on the days. An event that is known less exactly than the date, such as by its
 * year alone, is left to the words.
 */
async function findOccurring(
  { tables: { memories }, project, selection }: CandidateScope,
  date: QueryDate,
): Promise<Candidate[]> {
  const occurring: Candidate[] = [];
  for (const days of date) {
    const range = { ...widened(days), limit: datedCandidatesMax - occurring.length };
    occurring.push(...(await memories.listByOccurrence(project, selection, range)));
    if (occurring.length >= datedCandidatesMax) break;
  }
  return occurring;
}

function toTimeRange({ begin, end }: ZonedDays): TimeRange {
  return { from: begin, to: end };
}

/** Finds what was said around the first candidates and is in the selection. */
async function findContext(
  { tables: { memories }, project, selection }: CandidateScope,
  candidates: readonly Candidate[],
  contexts: number,
): Promise<Candidate[]> {
  const positionsByRun = new Map<string, Set<number>>();
  for (const { run_id, run_position } of candidates.slice(0, contexts)) {
    if (run_id === null || run_position === null) continue;
    const positions = positionsByRun.get(run_id) ?? new Set();
    positionsByRun.set(run_id, positions);
    for (let step = -contextWindow; step <= contextWindow; step += 1)
      positions.add(run_position + step);
  }
  for (const { run_id, run_position } of candidates) {
    if (run_id !== null && run_position !== null) positionsByRun.get(run_id)?.delete(run_position);
  }
  const places: RunPlace[] = [];
  for (const [run_id, positions] of positionsByRun)
    for (const run_position of positions) places.push({ run_id, run_position });
  return memories.listByRunPlaces(project, selection, places);
}

function uniqueById(memories: readonly Candidate[]): Candidate[] {
  return [...new Map(memories.map((memory) => [memory.id, memory])).values()];
}

type NamesScope = CandidateScope & {
  tables: { memories: Pick<Tables['memories'], 'findMany'> };
  project: ProjectRef;
};

type NamedQuestion = {
  /** The question in its own words. */
  plain: ParsedQuery;
  /** Reads the question again with these names. */
  ask: (aliases: readonly FoundAlias[]) => ParsedQuery;
  now: Instant;
  owners: Partial<EntityIds>;
};

/**
 * Finds the candidates of a question by all names that memories among them declare to be the same:
 * a question about k8s finds Kubernetes if "k8s is short for Kubernetes" is remembered. What one
 * user says does not count for another: only a search of one owner uses such names, and those that
 * a user stated only a search of that user.
 */
export async function findByAllNames(
  within: NamesScope,
  { plain, ask, now, owners }: NamedQuestion,
  reach: CandidateReach,
): Promise<{ candidates: Candidate[]; question: ParsedQuery }> {
  const isOwned = Object.keys(owners).length > 0;
  const candidates = await findCandidates(within, plain, { ...reach, mark: isOwned });
  if (!isOwned) return { candidates, question: plain };
  const statements = candidates.filter(({ terms, user_id, valid_until }) => {
    const isOfOwner = owners.user_id !== undefined || user_id === null;
    const isOver = valid_until !== null && valid_until <= now;
    return isOfOwner && !isOver && holdsTerm(aliasMark, terms);
  });
  if (statements.length === 0) return { candidates, question: plain };
  const ids = statements.slice(0, statementsMax).map(({ id }) => id);
  const memories = await within.tables.memories.findMany(within.project, ids);
  const readAliases = ({ memory, said }: StoredMemory) => statedAliases(`${memory}\n${said ?? ''}`);
  const groups = await runInTurns(mapInTurns(memories, readAliases));
  const aliases = aliasesIn(reach.query, groups.flat());
  if (aliases.length === 0) return { candidates, question: plain };
  const question = ask(aliases);
  return { candidates: await findCandidates(within, question, reach), question };
}

/** The first statements hold most of the words of the question. */
const statementsMax = 20;

type ReachInput = Pick<
  Parsed<'search_memories'>,
  'rerank' | 'keyword_search' | 'top_k' | 'query'
> & { trace?: SearchTrace | undefined };

/** How many candidates a search looks for, which is at least the number of results asked for. */
export function reachOf({
  rerank,
  keyword_search,
  top_k,
  query,
  trace,
}: ReachInput): CandidateReach & { nearest: number } {
  const { candidates, contexts, nearest } = rerank ? searchBudgets.rerank : searchBudgets.usual;
  return {
    limit: Math.max(candidates, top_k),
    contexts: keyword_search ? 0 : contexts,
    nearest: Math.max(nearest, top_k),
    query,
    trace,
  };
}

/**
 * How many memories are scored, how many of them have their context read, and how many are found by
 * meaning. `usual` is enough to include the best results and few enough to score in milliseconds
 * (test/bench/README.md: 300 and 50 find no more). `rerank` looks further down, for stores in which
 * very many memories hold the query's words.
 */
const searchBudgets = {
  usual: { candidates: 200, contexts: 20, nearest: 50 },
  rerank: { candidates: 1000, contexts: 100, nearest: 200 },
} as const;
