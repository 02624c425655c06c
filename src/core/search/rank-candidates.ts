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

/** What a call asks for, and the selection of memories that may answer it. */
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
  /** Says that nothing is remembered about the day asked for. */
  note?: string | null;
  /** How many memories the scope holds. */
  size?: number | undefined;
};
type RankedCandidates = RankedResult & { naming: readonly NamingCandidate[]; isNewest?: boolean };

/** The memories that may answer the question, scored by words and by meaning, best first. */
export async function rankCandidates(
  { store, clock, queryEmbedder: embedder, timezone: own = 'UTC' }: SearchDeps,
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
  const ask = (statements: readonly FoundAlias[]) =>
    askFor(input, { now, timezone, others, reading, aliases: [...aliases, ...statements] });
  const plain = ask([]);
  const scope = { tables: store, project, selection, size };
  const unscored = await listUnscored(scope, plain, { ...input, now });
  if (unscored !== null) return unscored;
  const reach = reachOf(input);
  // Vectors are searched in other threads or servers while this thread searches by words.
  const asking = isKnownLanguage(embedder, reading) ? input.asking : null;
  const vectorSearch = searchVectors(scope, asking, reach.nearest);
  const wordHits = await findByAllNames(scope, { plain, ask, now, owners }, reach);
  const { candidates } = wordHits;
  if (candidates.length === 0 && selfQuestion.test(query)) return rankNewest(scope, input);
  const { question, common } = keyword_search
    ? { ...wordHits, common: '' }
    : await setCommonAside(scope, wordHits, { ...reach, reading });
  const about = { query, question, now };
  const readAs = (some: readonly Candidate[]) =>
    runInTurns(mapInTurns(some, (one) => extractFeatures(one, question)));
  const [readings, hits] = [await readAs(candidates), await vectorSearch];
  if ('warning' in hits) {
    const { ranked, naming } = await rankByWords(readings, { ...about, size, keyword_search });
    return { ranked, naming, ...hits, size };
  }
  const near = await findNear(scope, hits, { candidates, common, embedder, reading, ...reach });
  const { fuseScores } = await import('./rank/fuse.ts'); // late: most stores have no model
  const neighbours = [...near.similarities.keys()].map((id) => ({ id }));
  trace?.push(tracedStage('vectors', neighbours, { query, limit: reach.nearest }));
  const allReadings = [...readings, ...(await readAs(near.candidates))];
  const { ranked: byWords, whole } = await rankByKeywords(allReadings, { question, size });
  const { scale } = hits.embedding.model;
  const fused = fuseScores(byWords, { ...near, readings: allReadings, whole, scale });
  const ranked = placeNewerFirst(fused, allReadings, about);
  const among = isNarrowed(selection, owners) ? allReadings.length : size;
  const isStandalone = isFactOf(allReadings, ranked[0]?.id);
  const calibrated = calibrateScores(ranked, { isStandalone, among });
  return { ...withEndedLast(calibrated, allReadings, about), warning: null, size };
}

/** Ranks by words alone, for a search without vectors. */
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
  embedder: QueryEmbedder | undefined;
  candidates: readonly Candidate[];
  /** The words of the question that nearly all memories hold. */
  common: string;
  query: string;
  reading: QueryLanguages;
  nearest: number;
};

/** Finds how near the candidates are in meaning, and the memories that only meaning finds. */
async function findNear(
  within: Parameters<typeof addDenseCandidates>[0] & Parameters<typeof searchVectors>[0],
  vectorHits: Exclude<Awaited<ReturnType<typeof searchVectors>>, { warning: unknown }>,
  { candidates, common, embedder, query, reading, nearest: limit }: NearQuery,
): Promise<DenseCandidates> {
  const { addDenseCandidates } = await import('./semantic/dense-candidates.ts');
  const near = await addDenseCandidates(within, vectorHits.embedding, {
    wordCandidates: candidates,
    nearest: vectorHits.nearest,
  });
  const { embedding } = vectorHits;
  if (!embedder?.isInstant) return near;
  const loadDirections = () => import('./words/name-directions.ts'); // few questions need it
  if (common !== '') {
    const { leaveOutCommon } = await loadDirections();
    const asking = embedder.startEmbedding(common);
    await leaveOutCommon(within, near, { asking, embedding, candidates, limit });
    return near;
  }
  const names = namesIn(query, reading);
  if (names.length === 0) return near;
  const { evenOutNames } = await loadDirections();
  await evenOutNames(within, near, { names, embedder, embedding, candidates });
  return near;
}

type AboutQuestion = { query: string; question: ParsedQuery; now: Instant };

/** Places ended facts last, and lists the memories that may replace others. */
function withEndedLast(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  about: AboutQuestion,
): Pick<RankedCandidates, 'ranked' | 'naming'> {
  const naming = namingCandidates(readings, about);
  return { ranked: placeEndedLast(ranked, readings, about), naming };
}

/** Reads the query with these names. */
function askFor(
  { query, reference_date, keyword_search }: SearchInput,
  options: Parameters<typeof parseQuery>[1],
): ParsedQuery {
  const question = parseQuery(query, { ...options, now: reference_date ?? options.now });
  return keyword_search ? keywordsOnly(question) : question;
}

/** True if this memory is not a turn of a conversation. */
function isFactOf(readings: readonly CandidateFeatures[], id: string | undefined): boolean {
  const reading = readings.find(({ memory }) => memory.id === id);
  return reading === undefined || isFact(reading);
}

/**
 * True if the selection has conditions beside its owners; how many memories pass them is unknown.
 */
function isNarrowed({ filter }: Selection, owners: ReturnType<typeof singleEntityIdsIn>): boolean {
  const conditions = 'all' in filter ? filter.all.length : 1;
  return conditions > Object.keys(owners).length;
}

/** False for a question in a language that the model does not know. */
function isKnownLanguage(embedder: QueryEmbedder | undefined, { sure }: QueryLanguages): boolean {
  const languages = embedder?.languages;
  return (
    languages === undefined || sure.length === 0 || sure.some((one) => languages.includes(one))
  );
}
