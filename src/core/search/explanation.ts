import { entityIdFields } from '../../contract/schemas/entity.ts';
import type { Filter } from '../../contract/schemas/filter.ts';
import {
  type ExplainSource,
  type Explanation,
  explainSources,
  explainSteps,
} from '../../contract/schemas/search.ts';
import { aliasesIn } from '../language/aliases.ts';
import type { Deps, Selection, StoredMemory, StoredProject } from '../ports/index.ts';
import type { SearchTrace, TracedStage } from './search-trace.ts';

type ExplainedCall = {
  trace: SearchTrace;
  project: StoredProject;
  query: string | null;
  selection: Selection;
  /** The memories of the answer, best first. */
  shownIds: readonly string[];
  explain_id?: string | undefined;
};

type LeftOut = Explanation['left_out'][number];

const leftOutMax = 50;

/** What a search did, stage by stage, and what became of each memory that it found. */
export async function explainSearch(
  deps: Pick<Deps, 'store'>,
  call: ExplainedCall,
): Promise<Explanation> {
  const { trace, project, query, shownIds, explain_id } = call;
  const aliases = aliasesIn(query ?? '', project.settings.aliases);
  const stages = trace.map(({ stage, query, limit, memories }) => {
    return { stage, query, limit, memories: memories.size };
  });
  const results = shownIds.map((id) => {
    const { score = null, parts = null } = scoreOf(trace, id) ?? {};
    return { id, score, score_breakdown: parts, found_by: sourcesOf(trace, id) };
  });
  const foundIds = new Set(trace.filter(isSource).flatMap(({ memories }) => [...memories.keys()]));
  const left_out = [...foundIds]
    .filter((id) => !shownIds.includes(id))
    .flatMap((id) => lossOf(trace, id) ?? [])
    .sort((one, other) => (other.score ?? 0) - (one.score ?? 0));
  const explanation = {
    stages,
    results,
    left_out: left_out.slice(0, leftOutMax),
    ...(aliases.length > 0 && { aliases }),
  };
  if (explain_id === undefined) return explanation;
  return { ...explanation, memory: await explainMemory(deps, call, explain_id) };
}

function isSource({ stage }: TracedStage): boolean {
  return explainSources.some((name) => name === stage);
}

function sourcesOf(trace: SearchTrace, id: string): ExplainSource[] {
  const stages = trace.filter(({ memories }) => memories.has(id)).map(({ stage }) => stage);
  return explainSources.filter((name) => stages.includes(name));
}

function scoreOf(trace: SearchTrace, id: string) {
  const scores = trace.flatMap(({ memories }) => memories.get(id) ?? []);
  return scores.toSorted((one, other) => other.score - one.score)[0];
}

/** The stage that stopped a memory: the furthest one, if the query asks several questions. */
function lossOf(trace: SearchTrace, id: string): LeftOut | null {
  const sources = trace.filter((one) => isSource(one) && one.memories.has(id));
  const losses = [...new Set(sources.map(({ query }) => query))].flatMap((query): LeftOut[] => {
    const steps = trace.filter((one) => isStep(one.stage) && isPassed(one, query));
    const loss = steps.find(({ memories }) => !memories.has(id));
    if (loss === undefined || !isStep(loss.stage)) return [];
    const { score = null } = scoreOf(steps, id) ?? {};
    return [{ id, stage: loss.stage, score, limit: loss.limit }];
  });
  return losses.toSorted((one, other) => rankOf(other) - rankOf(one))[0] ?? null;
}

/** A memory listed without a query can only run out of room. */
function isPassed(step: TracedStage, query: string | null): boolean {
  if (query === null) return step.stage === 'max_tokens';
  return step.query === null || step.query === query;
}

function isStep(stage: TracedStage['stage']): stage is LeftOut['stage'] {
  return explainSteps.some((name) => name === stage);
}

function rankOf({ stage }: LeftOut): number {
  return explainSteps.indexOf(stage);
}

type ExplainedMemory = NonNullable<Explanation['memory']>;

async function explainMemory(
  { store }: Pick<Deps, 'store'>,
  { trace, project, selection, shownIds }: ExplainedCall,
  id: string,
): Promise<ExplainedMemory> {
  const nothing = { id, score: null, limit: null };
  if (shownIds.includes(id)) {
    const { score = null } = scoreOf(trace, id) ?? {};
    return { ...nothing, score, stage: null, reason: 'It is in the answer.' };
  }
  const loss = lossOf(trace, id);
  if (loss !== null) return { ...loss, reason: lossInWords(loss) };
  const isThis: Filter = { field: 'id', path: [], operator: 'eq', value: id };
  const findBy = async (filter: Filter) => {
    const any = { latest_only: false, not_expired_on: null, status: 'any' } as const;
    const criteria = { ...any, filter: { all: [filter, isThis] } };
    return (await store.memories.listOldest(project, criteria, 1))[0];
  };
  const ownMemory = await findBy(ownerConditions(selection.filter));
  // A memory of another owner looks like one that does not exist.
  if (ownMemory === undefined)
    return { ...nothing, stage: 'unknown', reason: 'No memory has this id.' };
  const matchingMemory = await findBy(selection.filter);
  if (matchingMemory === undefined)
    return { ...nothing, stage: 'filters', reason: 'It does not match the conditions.' };
  const reason = hiddenReason(matchingMemory, selection);
  if (reason !== null) return { ...nothing, stage: 'hidden', reason };
  return { ...nothing, stage: 'not_found', reason: 'Neither words, dates nor vectors found it.' };
}

/** The conditions that name an entity, alone or with others. */
function ownerConditions(filter: Filter): Filter {
  const parts = 'all' in filter ? filter.all : [filter];
  return { all: parts.filter(namesEntity) };
}

function namesEntity(filter: Filter): boolean {
  if ('field' in filter) return entityIdFields.some((name) => name === filter.field);
  const members = 'all' in filter ? filter.all : 'any' in filter ? filter.any : filter.none;
  return members.some(namesEntity);
}

function hiddenReason(memory: StoredMemory, selection: Selection): string | null {
  const { replaced_by, expiration_date, status } = memory;
  if (selection.latest_only && replaced_by !== null) return `It was merged into ${replaced_by}.`;
  const { not_expired_on: today } = selection;
  if (today !== null && expiration_date !== null && expiration_date < today)
    return `It expired on ${expiration_date}.`;
  const isShown = selection.status === 'not_quarantined' && status !== 'quarantined';
  if (status !== 'active' && selection.status !== 'any' && !isShown)
    return 'It waits for a review.';
  return null;
}

/** Why a memory that was found is not in the answer. */
export function lossInWords({ stage, score, limit }: LeftOut): string {
  switch (stage) {
    case 'score':
      return 'It was found, but nothing in it answers.';
    case 'threshold':
      return `Its score is ${score}; the threshold is ${limit}.`;
    case 'cut':
      return `Its score is ${score}; beside the best one, ${limit} is needed.`;
    case 'top_k':
      return `Its score is ${score}; ${limit} others have more.`;
    case 'duplicates':
      return 'Another one that says nearly the same is in the answer.';
    case 'max_tokens':
      return `It does not fit the budget of ${limit} tokens.`;
  }
}
