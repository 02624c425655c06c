import { singleEntityIdsIn } from '../../contract/schemas/filter-entity-ids.ts';
import type { Parsed } from '../../contract.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
import { aliasesIn, type FoundAlias } from '../language/aliases.ts';
import { selfQuestion } from '../language/question-words.ts';
import { type QueryLanguages, resolveQueryLanguages } from '../language/resolve-languages.ts';
import type {
  Candidate,
  Deps,
  Instant,
  QueryEmbedder,
  Selection,
  StoredProject,
} from '../ports/index.ts';
import { findByAllNames, reachOf } from './candidates.ts';
import { listUnscored, rankNewest } from './newest.ts';
import { placeEndedLast, placeNewerFirst } from './order/newer-first.ts';
import { type NamingCandidate, namingCandidates } from './order/replacements.ts';
import { keywordsOnly, otherDaysFor, type ParsedQuery, parseQuery } from './query/query.ts';
import { calibrateScores } from './rank/calibrate.ts';
import { type CandidateFeatures, extractFeatures, isFact } from './rank/features.ts';
import { rankByKeywords } from './rank/rank.ts';
import { type ScoredCandidate, withoutSemanticScore } from './rank/scored-candidate.ts';
import { type SearchTrace, tracedStage } from './search-trace.ts';
import { type PendingEmbedding, searchVectors } from './search-vectors.ts';
import type { addDenseCandidates, DenseCandidates } from './semantic/dense-candidates.ts';
import { setCommonAside } from './words/common-terms.ts';
import { namesIn } from './words/names.ts';

/** What a call asks for, and the memories that it may be answered from. */
export type SearchInput = Pick<
  Parsed<'search_memories'>,
  | 'query'
  | 'cut'
  | 'threshold'
  | 'top_k'
  | 'rerank'
  | 'keyword_search'
  | 'reference_date'
  | 'timezone'
> & { selection: Selection; trace?: SearchTrace | undefined };

export type SearchDeps = Pick<
  Deps,
  'store' | 'clock' | 'queryEmbedder' | 'reranker' | 'log' | 'timezone'
>;

export type RankedResult = {
  ranked: readonly ScoredCandidate[];
  warning: string | null;
  /** Says that the day that is asked for has nothing. */
  note?: string | null;
  /** How many memories the scope holds. */
  size?: number | undefined;
};
type RankedCandidates = RankedResult & { naming: readonly NamingCandidate[]; isNewest?: boolean };

/** The memories that may answer the question, scored by words and by meaning, best first. */
export async function rankCandidates(
  { store, clock, queryEmbedder, timezone: own = 'UTC' }: SearchDeps,
  project: StoredProject,
  input: SearchInput & { asking: PendingEmbedding | null },
): Promise<RankedCandidates> {
  const { query, keyword_search, selection, trace, timezone = own } = input;
  const now = clock.now();
  const owners = singleEntityIdsIn(selection.filter);
  const { size, languages } = await store.memories.getScopeStats(project, owners);
  const reading = await resolveQueryLanguages(query, languages);
  const others = await otherDaysFor(reading.sure);
  const aliases = aliasesIn(query, project.settings.aliases);
  const ask = (stated: readonly FoundAlias[]) =>
    askFor(input, { now, timezone, others, reading, aliases: [...aliases, ...stated] });
  const plain = ask([]);
  const within = { tables: store, project, selection, size };
  const listed = await listUnscored(within, plain, { ...input, now });
  if (listed !== null) return listed;
  const reach = reachOf(input);
  // Vectors are searched in other threads or servers while this thread searches by words.
  const asking = isKnownLanguage(queryEmbedder, reading) ? input.asking : null;
  const looking = searchVectors(within, asking, reach.nearest);
  const named = await findByAllNames(within, { plain, ask, now, owners }, reach);
  const { found } = named;
  if (found.length === 0 && selfQuestion.test(query)) return rankNewest(within, input);
  const { question, common } = keyword_search
    ? { ...named, common: '' }
    : await setCommonAside(within, named, { ...reach, reading });
  const about = { query, question, now };
  const readAs = (some: readonly Candidate[]) =>
    runInTurns(mapInTurns(some, (one) => extractFeatures(one, question)));
  const [readings, looked] = [await readAs(found), await looking];
  if ('warning' in looked) {
    const { ranked, naming } = await rankByWords(readings, { ...about, size, keyword_search });
    return { ranked, naming, ...looked, size };
  }
  const near = await findNear(within, looked, { found, common, queryEmbedder, reading, ...reach });
  const { fuseScores } = await import('./rank/fuse.ts'); // late: most stores have no model
  const compared = [...near.similarities.keys()].map((id) => ({ id }));
  trace?.push(tracedStage('vectors', compared, { query, limit: reach.nearest }));
  const all = [...readings, ...(await readAs(near.candidates))];
  const { ranked: byWords, whole } = await rankByKeywords(all, { question, size });
  const { scale } = looked.asked.model;
  const fused = fuseScores(byWords, { ...near, readings: all, whole, scale });
  const ranked = placeNewerFirst(fused, all, about);
  const among = isNarrowed(selection, owners) ? all.length : size;
  const isStandalone = isFactOf(all, ranked[0]?.id);
  const calibrated = calibrateScores(ranked, { isStandalone, among });
  return { ...withEndedLast(calibrated, all, about), warning: null, size };
}

/** Where no vector tells what memories mean. */
async function rankByWords(
  readings: readonly CandidateFeatures[],
  { keyword_search, size, ...about }: AboutQuestion & { keyword_search: boolean; size: number },
): Promise<Pick<RankedCandidates, 'ranked' | 'naming'>> {
  const { ranked: byWords } = await rankByKeywords(readings, { ...about, size });
  const ranked = withoutSemanticScore(byWords);
  if (keyword_search) return { ranked, naming: [] };
  return withEndedLast(placeNewerFirst(ranked, readings, about), readings, about);
}

type NearQuery = {
  queryEmbedder: QueryEmbedder | undefined;
  found: readonly Candidate[];
  /** What nearly all memories hold of the question. */
  common: string;
  query: string;
  reading: QueryLanguages;
  nearest: number;
};

/** How near the found memories are in meaning, and those that meaning alone finds. */
async function findNear(
  within: Parameters<typeof addDenseCandidates>[0] & Parameters<typeof searchVectors>[0],
  looked: Exclude<Awaited<ReturnType<typeof searchVectors>>, { warning: unknown }>,
  { found, common, queryEmbedder, query, reading, nearest: limit }: NearQuery,
): Promise<DenseCandidates> {
  const { addDenseCandidates } = await import('./semantic/dense-candidates.ts');
  const near = await addDenseCandidates(within, looked.asked, { found, nearest: looked.nearest });
  const { asked } = looked;
  if (!queryEmbedder?.isInstant) return near;
  const loadDirections = () => import('./words/name-directions.ts'); // few questions need it
  if (common !== '') {
    const { leaveOutCommon } = await loadDirections();
    const asking = queryEmbedder.startEmbedding(common);
    await leaveOutCommon(within, near, { asking, asked, found, limit });
    return near;
  }
  const names = namesIn(query, reading);
  if (names.length === 0) return near;
  const { evenOutNames } = await loadDirections();
  await evenOutNames(within, near, { names, embedder: queryEmbedder, asked, found });
  return near;
}

type AboutQuestion = { query: string; question: ParsedQuery; now: Instant };

/** What is over last, and what may be placed before what it may replace. */
function withEndedLast(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  about: AboutQuestion,
): Pick<RankedCandidates, 'ranked' | 'naming'> {
  const naming = namingCandidates(readings, about);
  return { ranked: placeEndedLast(ranked, readings, about), naming };
}

/** What the query asks for by these names. */
function askFor(
  { query, reference_date, keyword_search }: SearchInput,
  asked: Parameters<typeof parseQuery>[1],
): ParsedQuery {
  const read = parseQuery(query, { ...asked, now: reference_date ?? asked.now });
  return keyword_search ? keywordsOnly(read) : read;
}

/** Whether this memory is not a turn of a conversation. */
function isFactOf(readings: readonly CandidateFeatures[], id: string | undefined): boolean {
  const found = readings.find(({ memory }) => memory.id === id);
  return found === undefined || isFact(found);
}

/** Whether the selection has conditions beside its owners: nobody counts how many pass them. */
function isNarrowed({ filter }: Selection, owners: ReturnType<typeof singleEntityIdsIn>): boolean {
  const conditions = 'all' in filter ? filter.all.length : 1;
  return conditions > Object.keys(owners).length;
}

/** A model says nothing about a question in a language that it does not know. */
function isKnownLanguage(embedder: QueryEmbedder | undefined, { sure }: QueryLanguages): boolean {
  const known = embedder?.languages;
  return known === undefined || sure.length === 0 || sure.some((one) => known.includes(one));
}
