import { limits } from '../../contract/limits.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { StrictOmit } from '../../contract/strict-omit.ts';
import type { Output, Parsed } from '../../contract.ts';
import { entityIdsOfFilter } from '../memory/selection.ts';
import type {
  Candidate,
  Deps,
  ProjectCall,
  ProjectRef,
  Selection,
  StoredMemory,
} from '../ports/index.ts';
import { dayIn, inZone, widened } from '../search/query/days/calendar.ts';
import type { CutMemory } from '../search/rank/cut.ts';
import { occurrenceShare } from '../search/rank/features.ts';
import type { SearchDeps } from '../search/rank-candidates.ts';
import { findHits } from '../search/search.ts';
import { isExplained, type SearchTrace, tracedStage } from '../search/search-trace.ts';
import { type ContextPart, fitToBudget, lineTokensMin } from './fit-to-budget.ts';

type ContextInput = StrictOmit<Parsed<'get_context'>, 'messages'> & { selection: Selection };
type ExplainedContext = StrictOmit<ContextInput, 'query'> & {
  query: string | null;
  trace: SearchTrace;
  parts: readonly ContextPart[];
  shownIds: string[];
};
type ContextDeps = SearchDeps & Pick<Deps, 'store' | 'clock'>;
type ContextCall = Pick<ProjectCall, 'project' | 'signal'>;
type FoundParts = {
  parts: ContextPart[];
  cutMemories: CutMemory[];
  warning: string | null;
  note: string | null;
  /** The scores of the hits by id. */
  scores: ReadonlyMap<string, number>;
};
type BuiltContext = Pick<FoundParts, 'scores'> & { answer: Output<'get_context'> };

/**
 * What is remembered as one text within `max_tokens`: first what always holds, then what answers
 * the query or, without one, what is due soon and what is newest.
 */
export async function buildContext(
  deps: ContextDeps,
  call: ContextCall,
  input: ContextInput,
): Promise<BuiltContext> {
  const always = await listAlways(deps, call.project, input);
  const { query = null, timezone = deps.timezone ?? 'UTC' } = input;
  const trace: SearchTrace | undefined = isExplained(input) ? [] : undefined;
  const result =
    query === null
      ? await listUnasked(deps, call.project, input)
      : await findAnswers(deps, call, { ...input, query, trace });
  const parts: ContextPart[] = [{ kind: 'always', memories: always }, ...result.parts];
  const { left_out, ...context } = fitToBudget(parts, {
    ...input,
    query,
    timezone,
    note: result.note,
  });
  const shownIds = new Set(context.blocks.flatMap(({ memory_ids }) => memory_ids));
  const leftOut = [...left_out, ...result.cutMemories].filter(({ id }) => !shownIds.has(id));
  const answer = {
    ...context,
    left_out: leftOut.slice(0, leftOutMax),
    ...(result.warning !== null && { warning: result.warning }),
  };
  const { scores } = result;
  if (trace === undefined) return { answer, scores };
  const explanation = await explainContext(deps, call, {
    ...input,
    query,
    trace,
    parts,
    shownIds: [...shownIds],
  });
  return { answer: { ...answer, explanation }, scores };
}

/** Explains the stages of the search, then what was listed beside it, then the budget for all. */
async function explainContext(
  deps: ContextDeps,
  { project }: ContextCall,
  { trace, parts, shownIds, ...input }: ExplainedContext,
): Promise<Output<'get_context'>['explanation']> {
  for (const { kind, memories } of parts) {
    if (kind !== 'answers') trace.push(tracedStage(kind, memories));
  }
  const shownMemories = shownIds.map((id) => ({ id }));
  trace.push(tracedStage('max_tokens', shownMemories, { limit: input.max_tokens }));
  const { explainSearch } = await import('../search/explanation.ts'); // few are explained
  return explainSearch(deps, { ...input, trace, project, shownIds });
}

const isInstruction: Filter = { field: 'type', path: [], operator: 'eq', value: 'instruction' };
const isPinned: Filter = { field: 'pinned', path: [], operator: 'eq', value: true };

const isMemory = ({ id }: StoredMemory): Filter => {
  return { field: 'id', path: [], operator: 'eq', value: id };
};

const leftOutMax = 100;
const alwaysMax = 50;

/** Pinned memories that do not fit are counted, so more of them are read. */
const pinnedMax = 200;

/**
 * What is pinned, the user's name and standing instructions, each the oldest first, so that the
 * text stays the same.
 */
async function listAlways(
  { store: { memories } }: ContextDeps,
  project: ProjectRef,
  { selection }: ContextInput,
): Promise<StoredMemory[]> {
  const ids = entityIdsOfFilter(selection.filter);
  const listAll = (is: Filter, limit = alwaysMax) => {
    const narrowed = { ...selection, filter: { all: [selection.filter, is] } };
    return memories.listOldest(project, narrowed, limit);
  };
  const [pinned, nameMemory, instructions] = await Promise.all([
    listAll(isPinned, pinnedMax),
    memories.findBySlot(project, ids, 'user:name'),
    listAll(isInstruction),
  ]);
  // A slot is looked up by its owner alone; the call may have narrowed its memories further.
  const name = nameMemory === null ? [] : await listAll(isMemory(nameMemory));
  return [...pinned, ...name, ...instructions];
}

/**
 * The number of memories that can fit the budget: each is read and compared, and more than 200 do
 * not fit usual budgets.
 */
function mostIn(max_tokens: number): number {
  return Math.min(200, Math.ceil(max_tokens / lineTokensMin));
}

async function findAnswers(
  deps: ContextDeps,
  call: ContextCall,
  input: ContextInput & { query: string; trace: SearchTrace | undefined },
): Promise<FoundParts> {
  const isCut = input.cut !== 'off';
  const threshold = isCut ? limits.threshold_default : 0;
  const searchInput = {
    threshold,
    top_k: mostIn(input.max_tokens),
    rerank: false,
    keyword_search: false,
  };
  const { hits, cutMemories, warning, note } = await findHits(deps, call, {
    ...input,
    ...searchInput,
  });
  const answers = hits.map(({ memory }) => memory);
  const parts: ContextPart[] = [{ kind: 'answers', memories: answers }];
  if (!isCut) {
    const around = await listAround(deps, call.project, { ...input, answers });
    parts.push({ kind: 'around', memories: around });
  }
  const scores = new Map(hits.map(({ memory, score }) => [memory.id, score]));
  return { parts, cutMemories, warning, note, scores };
}

/** What was said directly before and after the answers, oldest first. */
async function listAround(
  { store }: ContextDeps,
  project: ProjectRef,
  { selection, answers }: { selection: Selection; answers: readonly StoredMemory[] },
): Promise<StoredMemory[]> {
  const answerIds = new Set(answers.map(({ id }) => id));
  const positions = answers.filter(({ run_id }) => run_id !== null).map((one) => one.position);
  const turns = await store.memories.listByPositions(project, positions);
  const places = turns.flatMap(({ run_id, run_position }) =>
    run_id === null || run_position === null
      ? []
      : [-1, 1].map((step) => ({ run_id, run_position: run_position + step })),
  );
  const neighbours = await store.memories.listByRunPlaces(project, selection, places);
  const others = neighbours.filter(({ id }) => !answerIds.has(id));
  return readAll(
    store,
    project,
    others.toSorted((one, other) => one.position - other.position),
  );
}

/** Plans and appointments of the next two weeks are near enough to mention without a query. */
const upcomingDays = 14;
const upcomingMax = 50;

async function listUnasked(
  { store, clock, timezone: own = 'UTC' }: ContextDeps,
  project: ProjectRef,
  { selection, reference_date, max_tokens, timezone = own }: ContextInput,
): Promise<FoundParts> {
  const today = dayIn(timezone, reference_date ?? clock.now());
  const soon = inZone({ from: today, to: today + upcomingDays }, timezone);
  const [near, last] = await Promise.all([
    store.memories.listByOccurrence(project, selection, { ...widened(soon), limit: upcomingMax }),
    store.memories.listNewest(project, selection, { ...anyTime, limit: mostIn(max_tokens) }),
  ]);
  const due = near.filter((one) => occurrenceShare([soon], one) > 0);
  const upcoming = await readAll(store, project, due);
  upcoming.sort((one, other) => ((one.occurred_at ?? '') < (other.occurred_at ?? '') ? -1 : 1));
  const recent = await readAll(store, project, last);
  const parts: ContextPart[] = [
    { kind: 'upcoming', memories: upcoming },
    { kind: 'recent', memories: recent },
  ];
  return { parts, cutMemories: [], warning: null, note: null, scores: new Map() };
}

/** Instants compare as text. */
const anyTime = { from: '0000', to: '9999' };

/** The whole memories in this order, without those that another process has deleted since. */
async function readAll(
  { memories }: ContextDeps['store'],
  project: ProjectRef,
  candidates: readonly Pick<Candidate, 'id'>[],
): Promise<StoredMemory[]> {
  const ids = candidates.map(({ id }) => id);
  const memoriesById = new Map((await memories.findMany(project, ids)).map((one) => [one.id, one]));
  return ids.flatMap((id) => memoriesById.get(id) ?? []);
}
