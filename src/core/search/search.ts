import { singleEntityIdsIn } from '../../contract/schemas/filter-entity-ids.ts';
import type { ScoreBreakdown, ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Output, Parsed } from '../../contract.ts';
import { mapInTurns, runInTurns } from '../../turns.ts';
import { listAnswerRelations } from '../graph/answer-relations.ts';
import { aliasesIn, type FoundAlias } from '../language/aliases.ts';
import { selfQuestion } from '../language/question-words.ts';
import { type QueryLanguages, resolveQueryLanguages } from '../language/resolve-languages.ts';
import { conflictsOf } from '../memory/resolve-conflicts.ts';
import { pickFields, toMemory } from '../memory/shape.ts';
import type {
  Candidate,
  Deps,
  Instant,
  ProjectCall,
  ProjectRef,
  QueryEmbedder,
  Selection,
  StoredMemory,
  StoredProject,
} from '../ports/index.ts';
import { calibrateScores } from './calibrate.ts';
import { findByAllNames, reachOf } from './candidates.ts';
import { clausesOf } from './clauses.ts';
import { type CutMemory, cutResults, withoutDuplicates } from './cut.ts';
import { type CandidateFeatures, extractFeatures, isFact } from './features.ts';
import { listUnscored, rankNewest } from './newest.ts';
import { placeEndedLast, placeNewerFirst } from './order/newer-first.ts';
import { type NamingCandidate, namingCandidates, placeReplacements } from './order/replacements.ts';
import { keywordsOnly, otherDaysFor, type ParsedQuery, parseQuery } from './query.ts';
import { rankByKeywords } from './rank.ts';
import { type ScoredCandidate, withoutSemanticScore } from './scored-candidate.ts';
import { isExplained, type SearchTrace, tracedStage } from './search-trace.ts';
import { type PendingEmbedding, searchVectors } from './search-vectors.ts';

/** What a call asks for, and the memories that it may be answered from. */
type SearchInput = Pick<
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

/** The memories of the selection that answer the query with at least `threshold`, best first. */
export async function searchMemories(
  deps: SearchDeps,
  call: SearchCall,
  input: Parsed<'search_memories'> & { selection: Selection },
): Promise<Output<'search_memories'>> {
  const cut = input.filter_memories && input.cut === 'off' ? 'relaxed' : input.cut;
  const trace: SearchTrace | undefined = isExplained(input) ? [] : undefined;
  const { hits, warning, note } = await findHits(deps, call, { ...input, cut, trace });
  const found = hits.map(({ memory }) => memory);
  const conflicts = await conflictsOf(deps, call.project, { of: found, fields: input.fields });
  const results = hits.map(({ memory, score, parts }): ScoredMemory => {
    const shown = pickFields(toMemory(memory, conflicts.get(memory.id)), input.fields);
    return { ...shown, score, ...breakdownOf(parts, input.fields) };
  });
  const ids = found.map(({ id }) => id);
  const relations = await listAnswerRelations(deps, { input, project: call.project }, ids);
  const said = { ...(warning !== null && { warning }), ...(note !== null && { note }) };
  const answer = { results, ...relations, ...said };
  if (trace === undefined) return answer;
  const { explainSearch } = await import('./explanation.ts'); // few searches are explained
  const explained = { ...input, trace, project: call.project, shown: ids };
  return { ...answer, explanation: await explainSearch(deps, explained) };
}

type SearchCall = Pick<ProjectCall, 'project' | 'signal'>;

/** A memory that answers a question, and how well it does. */
export type SearchHit = Pick<ScoredCandidate, 'score' | 'parts'> & { memory: StoredMemory };

type FoundHits = {
  hits: SearchHit[];
  dropped: CutMemory[];
  warning: string | null;
  /** Says which days have nothing that were asked for. */
  note: string | null;
};

/** Where there is a cut, the results of each thing that is asked are compared with its own best. */
export async function findHits(
  deps: SearchDeps,
  call: SearchCall,
  input: SearchInput,
): Promise<FoundHits> {
  const { cut, query, threshold, top_k, trace } = input;
  const [ranked, dropped]: [ScoredCandidate[], CutMemory[]] = [[], []];
  const warnings = new Set<string>();
  const notes = new Set<string>();
  const clauses = cut === 'off' ? [query] : clausesOf(query);
  for (const clause of clauses) {
    const found = await rank(deps, call, { ...input, query: clause });
    const passing = found.ranked.filter(({ score }) => score >= threshold);
    const { kept, dropped: weak, needed } = cutResults(passing, cut);
    trace?.push(tracedStage('score', found.ranked, { query: clause }));
    trace?.push(tracedStage('threshold', passing, { query: clause, limit: threshold }));
    trace?.push(tracedStage('cut', kept, { query: clause, limit: needed }));
    ranked.push(...kept.slice(0, top_k));
    dropped.push(...weak.slice(0, top_k));
    if (found.warning !== null) warnings.add(found.warning);
    if (found.note) notes.add(found.note);
  }
  const best = clauses.length === 1 ? ranked : bestOfAll(ranked).slice(0, top_k);
  trace?.push(tracedStage('top_k', best, { limit: top_k }));
  const ids = best.map(({ id }) => id);
  const memories = await findMemoriesById(deps, call.project, ids);
  const hits = best.flatMap(({ id, score, parts }): SearchHit[] => {
    // Skips memories that another process has deleted since.
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ memory, score, parts }];
  });
  const warning = warnings.size === 0 ? null : [...warnings].join(' ');
  const note = notes.size === 0 ? null : [...notes].join('. ');
  if (cut === 'off') return { hits, dropped, warning, note };
  const { kept, dropped: repeated } = await withoutDuplicates(hits.map(({ memory }) => memory));
  trace?.push(tracedStage('duplicates', kept));
  const left = hits.filter(({ memory }) => kept.includes(memory));
  const others = dropped.filter(({ id }) => !memories.has(id));
  return { hits: left, dropped: [...repeated, ...others], warning, note };
}

/** Best first, each memory once. */
function bestOfAll(ranked: readonly ScoredCandidate[]): ScoredCandidate[] {
  const sorted = ranked.toSorted((one, other) => other.score - one.score);
  const ids = new Set<string>();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}

async function rank(deps: SearchDeps, call: SearchCall, input: SearchInput): Promise<RankedResult> {
  const asking = startQueryEmbedding(deps, input, call.signal);
  const found = await rankCandidates(deps, call.project, { ...input, asking });
  if (found.isNewest) return found;
  const { ranked, warning } = await reorder(deps, call, { ...input, ...found });
  const { naming } = found;
  return { ranked: await placeReplacements(deps, call.project, { ranked, naming }), warning };
}

export type SearchDeps = Pick<
  Deps,
  'store' | 'clock' | 'queryEmbedder' | 'reranker' | 'log' | 'timezone'
>;

/** Starts before the search by words, so that both run at the same time. */
function startQueryEmbedding(
  { queryEmbedder }: SearchDeps,
  { query, keyword_search }: SearchInput,
  signal: AbortSignal | undefined,
): PendingEmbedding | null {
  if (queryEmbedder === undefined || keyword_search) return null;
  const asking = queryEmbedder.startEmbedding(query, signal);
  asking.catch(() => {}); // whoever awaits it hears of a failure
  return asking;
}

async function findMemoriesById(
  { store }: SearchDeps,
  project: ProjectRef,
  ids: readonly string[],
) {
  const found = await store.memories.findMany(project, ids);
  return new Map(found.map((memory) => [memory.id, memory]));
}

type RankedResult = {
  ranked: readonly ScoredCandidate[];
  warning: string | null;
  /** Says that the day that is asked for has nothing. */
  note?: string | null;
};
type RankedCandidates = RankedResult & { naming: readonly NamingCandidate[]; isNewest?: boolean };

async function reorder(
  deps: SearchDeps,
  call: Pick<ProjectCall, 'project' | 'signal'>,
  input: SearchInput & RankedResult,
): Promise<RankedResult> {
  const { ranked, warning } = await rerankTop(deps, call, input);
  return { ranked: await applyDecay(deps, call, { ranked, top_k: input.top_k }), warning };
}

/** Reranks the first candidates, if a reranker is configured and requested. */
async function rerankTop(
  deps: SearchDeps,
  { project, signal }: Pick<ProjectCall, 'project' | 'signal'>,
  input: SearchInput & RankedResult,
): Promise<RankedResult> {
  const { ranked, query, top_k, warning } = input;
  if (!input.rerank || deps.reranker === undefined) return { ranked, warning };
  const ids = ranked.slice(0, Math.max(rerankedMin, top_k)).map(({ id }) => id);
  const memories = await findMemoriesById(deps, project, ids);
  const { rerankCandidates } = await import('./rerank.ts'); // few have a reranker
  const judged = await rerankCandidates(deps, ranked, { query, memories, signal });
  const warnings = [warning, judged.warning].filter((one) => one !== null);
  return { ranked: judged.ranked, warning: warnings.length === 0 ? null : warnings.join(' ') };
}

/** Lowers the scores of older memories if the project enables `decay`. */
async function applyDecay(
  deps: SearchDeps,
  { project }: Pick<ProjectCall, 'project'>,
  { ranked, top_k }: Pick<RankedResult, 'ranked'> & { top_k: number },
): Promise<readonly ScoredCandidate[]> {
  if (!project.settings.decay) return ranked;
  const { decayScores } = await import('./decay.ts'); // few projects use decay
  const first = ranked.slice(0, Math.max(rerankedMin, 2 * top_k));
  const memories = await findMemoriesById(
    deps,
    project,
    first.map(({ id }) => id),
  );
  return decayScores(ranked, memories, deps.clock.now());
}

/** A model scores this many within a second or two. */
const rerankedMin = 50;

async function rankCandidates(
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
  const { found, question } = await findByAllNames(within, { plain, ask, now, owners }, reach);
  if (found.length === 0 && selfQuestion.test(query)) return rankNewest(within, input);
  const about = { query, question, now };
  const readAs = (some: readonly Candidate[]) =>
    runInTurns(mapInTurns(some, (one) => extractFeatures(one, question)));
  const [readings, looked] = [await readAs(found), await looking];
  if ('warning' in looked) {
    const { ranked: byWords } = await rankByKeywords(readings, { question, size });
    const ranked = withoutSemanticScore(byWords);
    if (keyword_search) return { ranked, naming: [], ...looked };
    const newer = placeNewerFirst(ranked, readings, about);
    return { ...withEndedLast(newer, readings, about), ...looked };
  }
  const { addDenseCandidates } = await import('./semantic/dense-candidates.ts');
  const { fuseScores } = await import('./fuse.ts'); // late: most stores have no model
  const near = await addDenseCandidates(within, looked.asked, { found, nearest: looked.nearest });
  const compared = [...near.similarities.keys()].map((id) => ({ id }));
  trace?.push(tracedStage('vectors', compared, { query, limit: reach.nearest }));
  const all = [...readings, ...(await readAs(near.candidates))];
  const { ranked: byWords, whole } = await rankByKeywords(all, { question, size });
  const { scale } = looked.asked.space;
  const fused = fuseScores(byWords, { ...near, readings: all, whole, scale });
  const ranked = placeNewerFirst(fused, all, about);
  const among = isNarrowed(selection, owners) ? all.length : size;
  const isStandalone = isFactOf(all, ranked[0]?.id);
  const calibrated = calibrateScores(ranked, { isStandalone, among });
  return { ...withEndedLast(calibrated, all, about), warning: null };
}

/** What is over last, and what may be placed before what it may replace. */
function withEndedLast(
  ranked: readonly ScoredCandidate[],
  readings: readonly CandidateFeatures[],
  about: { query: string; question: ParsedQuery; now: Instant },
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

function breakdownOf(
  parts: ScoreBreakdown,
  fields: readonly string[] | undefined,
): { score_breakdown?: ScoreBreakdown } {
  if (fields !== undefined && !fields.includes('score_breakdown')) return {};
  return { score_breakdown: parts };
}
