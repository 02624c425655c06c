import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { Parsed } from '../../contract.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
import { aliasesIn, type FoundAlias } from '../language/aliases.ts';
import { bm25 } from '../language/bm25.ts';
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
  /** How many memories may be of it. */
  size: number;
};

/**
 * The memories that may answer the question: up to `limit` by its words, those of its dates, and
 * what was said around the likeliest `contexts` of them.
 */
export async function findCandidates(
  within: CandidateScope,
  question: ParsedQuery,
  { limit, contexts, trace, query: asked, mark }: CandidateReach,
): Promise<Candidate[]> {
  const { tables, project, selection, size } = within;
  const { terms, dates } = question;
  const dated: Candidate[] = [];
  const parts: CandidatePart[] = [];
  for (const date of dates) {
    const newest = await findNewest(within, date);
    if (newest.length >= datedCandidatesMax)
      parts.push({ timeRanges: date.map(toTimeRange), limit: datedCandidatesMax });
    dated.push(...newest, ...(await findOccurring(within, date)));
  }
  const words = terms.map(wordsOfTerm);
  const wanted = mark && words.length > 0 ? [...words, [aliasMark]] : words;
  const query: CandidateQuery = { terms: wanted, bm25, limit, size, parts };
  const listed = await tables.memories.listCandidates(project, selection, query);
  const telling = mark ? listed.filter((one) => holdsMoreThanMark(one, words)) : listed;
  const candidates = uniqueById([...telling, ...dated]);
  const around = await findContext(within, candidates, contexts);
  trace?.push(tracedStage('words', telling, { query: asked, limit }));
  trace?.push(tracedStage('dates', dated, { query: asked }));
  trace?.push(tracedStage('neighbours', around, { query: asked }));
  return [...candidates, ...around];
}

/** Whether a memory was found for a word of the question, and not for its mark alone. */
function holdsMoreThanMark({ terms, speaker_terms }: Candidate, words: readonly QueryTerm[]) {
  if (!holdsTerm(aliasMark, terms)) return true;
  const holds = (form: string) => holdsTerm(form, terms) || holdsTerm(form, speaker_terms);
  return words.some((forms) => forms.some(holds));
}

/** A store knows no phrases: it finds what holds a word of one, and ranking looks for that. */
function wordsOfTerm(term: QueryTerm): QueryTerm {
  return [...new Set(term.flatMap((form) => form.split(' ')))];
}

export type CandidateReach = {
  /** Whether memories that state names are found before others (`aliasMark`). */
  mark?: boolean;
  limit: number;
  contexts: number;
  /** The question, for those who want it explained. */
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
  // One after the other, the latest first: each is looked up where memories are kept by time.
  for (const days of date) {
    const made = { ...toTimeRange(days), limit: datedCandidatesMax - newest.length };
    newest.push(...(await memories.listNewest(project, selection, made)));
    if (newest.length >= datedCandidatesMax) break;
  }
  return newest;
}

/** What was said on the days, and what begins on them. */
export async function findDated(within: CandidateScope, date: QueryDate): Promise<Candidate[]> {
  return [...(await findNewest(within, date)), ...(await findOccurring(within, date))];
}

/**
 * What begins on the days. What is known less exactly than it is asked for, such as the year alone,
 * is left to words.
 */
async function findOccurring(
  { tables: { memories }, project, selection }: CandidateScope,
  date: QueryDate,
): Promise<Candidate[]> {
  const occurring: Candidate[] = [];
  for (const days of date) {
    const within = { ...widened(days), limit: datedCandidatesMax - occurring.length };
    occurring.push(...(await memories.listByOccurrence(project, selection, within)));
    if (occurring.length >= datedCandidatesMax) break;
  }
  return occurring;
}

function toTimeRange({ begin, end }: ZonedDays): TimeRange {
  return { from: begin, to: end };
}

/** What was said around the first candidates, as far as the selection holds it. */
async function findContext(
  { tables: { memories }, project, selection }: CandidateScope,
  candidates: readonly Candidate[],
  contexts: number,
): Promise<Candidate[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { run_id, run_position: place } of candidates.slice(0, contexts)) {
    if (run_id === null || place === null) continue;
    const places = wanted.get(run_id) ?? new Set();
    wanted.set(run_id, places);
    for (let step = -contextWindow; step <= contextWindow; step += 1) places.add(place + step);
  }
  for (const { run_id, run_position: place } of candidates) {
    if (run_id !== null && place !== null) wanted.get(run_id)?.delete(place);
  }
  const places: RunPlace[] = [];
  for (const [run_id, around] of wanted)
    for (const place of around) places.push({ run_id, run_position: place });
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
  /** The question by its own words. */
  plain: ParsedQuery;
  /** Reads it again, which these names are in. */
  ask: (stated: readonly FoundAlias[]) => ParsedQuery;
  now: Instant;
  owners: Partial<EntityIds>;
};

/**
 * The candidates of a question, by all names that memories among them say are one: who asks for k8s
 * finds Kubernetes where "k8s is short for Kubernetes" is remembered. What one user says counts for
 * no other: the memories of one owner are searched, and those of users only for the user asked for.
 */
export async function findByAllNames(
  within: NamesScope,
  { plain, ask, now, owners }: NamedQuestion,
  reach: CandidateReach,
): Promise<{ found: Candidate[]; question: ParsedQuery }> {
  const isOwned = Object.keys(owners).length > 0;
  const found = await findCandidates(within, plain, { ...reach, mark: isOwned });
  if (!isOwned) return { found, question: plain };
  const stating = found.filter(({ terms, user_id, valid_until }) => {
    const isOfOwner = owners.user_id !== undefined || user_id === null;
    const isOver = valid_until !== null && valid_until <= now;
    return isOfOwner && !isOver && holdsTerm(aliasMark, terms);
  });
  if (stating.length === 0) return { found, question: plain };
  const ids = stating.slice(0, statementsMax).map(({ id }) => id);
  const memories = await within.tables.memories.findMany(within.project, ids);
  const read = ({ memory, said }: StoredMemory) => statedAliases(`${memory}\n${said ?? ''}`);
  const groups = await runInTurns(mapInTurns(memories, read));
  const aliases = aliasesIn(reach.query, groups.flat());
  if (aliases.length === 0) return { found, question: plain };
  const named = ask(aliases);
  return { found: await findCandidates(within, named, reach), question: named };
}

/** The first hold most of the words of the question. */
const statementsMax = 20;

type ReachInput = Pick<
  Parsed<'search_memories'>,
  'rerank' | 'keyword_search' | 'top_k' | 'query'
> & { trace?: SearchTrace | undefined };

/** How many candidates are looked for, at least as many as are asked for. */
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
 * How many memories are scored, for how many of them the context is read, and how many are found by
 * meaning. `usual` is enough to include the best results and few enough to score in milliseconds
 * (test/bench/README.md: 300 and 50 find no more). `rerank` looks further down, for stores in which
 * very many memories hold the query's words.
 */
const searchBudgets = {
  usual: { candidates: 200, contexts: 20, nearest: 50 },
  rerank: { candidates: 1000, contexts: 100, nearest: 200 },
} as const;
