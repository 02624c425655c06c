import type { ScoreBreakdown, ScoredMemory } from '../../contract/schemas/memory.ts';
import type { Output, Parsed } from '../../contract.ts';
import { listAnswerRelations } from '../graph/answer-relations.ts';
import { conflictsOf } from '../memory/resolve-conflicts.ts';
import { pickFields, toMemory } from '../memory/shape.ts';
import type { ProjectCall, ProjectRef, Selection, StoredMemory } from '../ports/index.ts';
import { placeReplacements } from './order/replacements.ts';
import { clausesOf } from './query/clauses.ts';
import { type CutMemory, cutResults, withoutDuplicates } from './rank/cut.ts';
import type { ScoredCandidate } from './rank/scored-candidate.ts';
import {
  type RankedResult,
  rankCandidates,
  type SearchDeps,
  type SearchInput,
} from './rank-candidates.ts';
import { isExplained, type SearchTrace, tracedStage } from './search-trace.ts';
import type { PendingEmbedding } from './search-vectors.ts';

/** The memories of the selection that answer the query with at least `threshold`, best first. */
export async function searchMemories(
  deps: SearchDeps,
  call: SearchCall,
  input: Parsed<'search_memories'> & { selection: Selection },
): Promise<Output<'search_memories'>> {
  const cut = input.filter_memories && input.cut === 'off' ? 'relaxed' : input.cut;
  const trace: SearchTrace | undefined = isExplained(input) ? [] : undefined;
  const { hits, warning, note, weak } = await findHits(deps, call, { ...input, cut, trace });
  const memories = hits.map(({ memory }) => memory);
  const conflicts = await conflictsOf(deps, call.project, { of: memories, fields: input.fields });
  const show = ({ memory, score, parts }: SearchHit): ScoredMemory => {
    const fields = pickFields(toMemory(memory, conflicts.get(memory.id)), input.fields);
    return { ...fields, score, ...breakdownOf(parts, input.fields) };
  };
  const results = hits.map(show);
  const ids = memories.map(({ id }) => id);
  const relations = await listAnswerRelations(deps, { input, project: call.project }, ids);
  const remarks = {
    ...(warning !== null && { warning }),
    ...(note !== null && { note }),
    ...(weak.length > 0 && { weak: weak.map(show) }),
  };
  const answer = { results, ...relations, ...remarks };
  if (trace === undefined) return answer;
  const { explainSearch } = await import('./explanation.ts'); // few searches are explained
  const explainedCall = { ...input, trace, project: call.project, shownIds: ids };
  return { ...answer, explanation: await explainSearch(deps, explainedCall) };
}

type SearchCall = Pick<ProjectCall, 'project' | 'signal'>;

/** A memory that answers a question, and how well it does. */
export type SearchHit = Pick<ScoredCandidate, 'score' | 'parts'> & { memory: StoredMemory };

type FoundHits = {
  hits: SearchHit[];
  cutMemories: CutMemory[];
  warning: string | null;
  /** Names the days asked for about which nothing is remembered. */
  note: string | null;
  /** The nearest memories of a small scope in which nothing is near enough: they may be meant. */
  weak: SearchHit[];
};

/**
 * With a cut, each part of the question is searched on its own, and its results are compared with
 * its own best one.
 */
export async function findHits(
  deps: SearchDeps,
  call: SearchCall,
  input: SearchInput,
): Promise<FoundHits> {
  const { cut, query, threshold, top_k, trace } = input;
  const [ranked, cutMemories]: [ScoredCandidate[], CutMemory[]] = [[], []];
  const warnings = new Set<string>();
  const notes = new Set<string>();
  const clauses = cut === 'off' ? [query] : clausesOf(query);
  const below: ScoredCandidate[] = [];
  for (const clause of clauses) {
    const result = await rank(deps, call, { ...input, query: clause });
    const passing = result.ranked.filter(({ score }) => score >= threshold);
    const { results, cutMemories: cutOff, scoreNeeded } = cutResults(passing, cut);
    trace?.push(tracedStage('score', result.ranked, { query: clause }));
    trace?.push(tracedStage('threshold', passing, { query: clause, limit: threshold }));
    trace?.push(tracedStage('cut', results, { query: clause, limit: scoreNeeded }));
    ranked.push(...results.slice(0, top_k));
    if (passing.length === 0 && (result.size ?? Infinity) <= smallScopeMax)
      below.push(...result.ranked);
    cutMemories.push(...cutOff.slice(0, top_k));
    if (result.warning !== null) warnings.add(result.warning);
    if (result.note) notes.add(result.note);
  }
  const best = clauses.length === 1 ? ranked : bestOfAll(ranked).slice(0, top_k);
  trace?.push(tracedStage('top_k', best, { limit: top_k }));
  const nearest = best.length === 0 ? bestOfAll(below).slice(0, weakMax) : [];
  const ids = [...best, ...nearest].map(({ id }) => id);
  const memories = await findMemoriesById(deps, call.project, ids);
  const toHit = ({ id, score, parts }: ScoredCandidate): SearchHit[] => {
    // Skips memories that another process has deleted since.
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ memory, score, parts }];
  };
  const [hits, weak] = [best.flatMap(toHit), nearest.flatMap(toHit)];
  const warning = warnings.size === 0 ? null : [...warnings].join(' ');
  const note = notes.size === 0 ? null : [...notes].join('. ');
  if (cut === 'off') return { hits, cutMemories, warning, note, weak };
  const { distinct, duplicates } = await withoutDuplicates(hits.map(({ memory }) => memory));
  trace?.push(tracedStage('duplicates', distinct));
  const distinctHits = hits.filter(({ memory }) => distinct.includes(memory));
  const others = cutMemories.filter(({ id }) => !memories.has(id));
  return { hits: distinctHits, cutMemories: [...duplicates, ...others], warning, note, weak };
}

/** In a scope of up to this many memories, a search without hits shows the two nearest ones. */
const smallScopeMax = 200;
const weakMax = 2;

/** Best first, each memory once. */
function bestOfAll(ranked: readonly ScoredCandidate[]): ScoredCandidate[] {
  const sorted = ranked.toSorted((one, other) => other.score - one.score);
  const ids = new Set<string>();
  return sorted.filter(({ id }) => !ids.has(id) && ids.add(id));
}

async function rank(deps: SearchDeps, call: SearchCall, input: SearchInput): Promise<RankedResult> {
  const asking = startQueryEmbedding(deps, input, call.signal);
  const result = await rankCandidates(deps, call.project, { ...input, asking });
  if (result.isNewest) return result;
  const { ranked, warning } = await reorder(deps, call, { ...input, ...result });
  const { naming, size } = result;
  return { ranked: await placeReplacements(deps, call.project, { ranked, naming }), warning, size };
}

/** Starts before the search by words, so that both run at the same time. */
function startQueryEmbedding(
  { queryEmbedder }: SearchDeps,
  { query, keyword_search }: SearchInput,
  signal: AbortSignal | undefined,
): PendingEmbedding | null {
  if (queryEmbedder === undefined || keyword_search) return null;
  const asking = queryEmbedder.startEmbedding(query, signal);
  asking.catch(() => {}); // the caller who awaits it gets the failure
  return asking;
}

async function findMemoriesById(
  { store }: SearchDeps,
  project: ProjectRef,
  ids: readonly string[],
) {
  const memories = await store.memories.findMany(project, ids);
  return new Map(memories.map((memory) => [memory.id, memory]));
}

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
  const { rerankCandidates } = await import('./rank/rerank.ts'); // few have a reranker
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
  const { decayScores } = await import('./rank/decay.ts'); // few projects use decay
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

function breakdownOf(
  parts: ScoreBreakdown,
  fields: readonly string[] | undefined,
): { score_breakdown?: ScoreBreakdown } {
  if (fields !== undefined && !fields.includes('score_breakdown')) return {};
  return { score_breakdown: parts };
}
