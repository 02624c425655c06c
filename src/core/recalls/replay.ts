import { ApiError, invalid } from '../../contract/errors.ts';
import { estimateTokens } from '../../contract/estimate-tokens.ts';
import { parseInput } from '../../contract/parse-input.ts';
import { type EntityIds, entityIdFields } from '../../contract/schemas/entity.ts';
import type { Explanation } from '../../contract/schemas/search.ts';
import { contract, type Output, type Parsed } from '../../contract.ts';
import { buildContext } from '../context/build-context.ts';
import { selectionOf } from '../memory/selection.ts';
import type { Deps, Instant, ProjectCall, StoredRecall } from '../ports/index.ts';
import { searchMemories } from '../search/search.ts';
import { readAt } from '../versions/read-past.ts';
import { explainDifferences, type PutAgain } from './differences.ts';
import { toRecall } from './list-recalls.ts';

/** Puts a question that was kept as of its time and now, and says why the answers differ. */
export async function replayRecall(
  deps: Deps,
  { recall_id }: Parsed<'replay_recall'>,
  call: ProjectCall,
): Promise<Output<'replay_recall'>> {
  await deps.flushEvents?.();
  const recall = await deps.store.recalls.find(call.project, recall_id);
  if (recall === null) throw new ApiError('not_found', 'recall not found');
  if (recall.asked.query_hash !== undefined) {
    const problem = 'only the hash of its question was kept: keep_recalls: text keeps questions';
    throw invalid('recall_id', problem);
  }
  const then = await putAgain(deps, call, {
    recall,
    as_of: recall.asked.as_of ?? recall.created_at,
  });
  const now = await putAgain(deps, call, { recall, as_of: null });
  const differences = await explainDifferences(deps, call.project, { recall, then, now });
  return {
    recall: toRecall(recall),
    // biome-ignore lint/suspicious/noThenProperty: it is not a function, so nothing awaits it
    then: then.ranking,
    now: now.ranking,
    differences,
  };
}

type ReplayTime = { recall: StoredRecall; as_of: Instant | null };

/** The answer at a time, or now, with all that an explanation tells of it. */
async function putAgain(
  deps: Deps,
  call: ProjectCall,
  { recall, as_of }: ReplayTime,
): Promise<PutAgain> {
  const answer =
    recall.operation === 'get_context'
      ? await askForContext(deps, call, { recall, as_of })
      : await search(deps, call, { recall, as_of });
  const { at, tokens, explanation } = answer;
  const { results, left_out, stages } = explanation;
  const leftOut = left_out.slice(0, leftOutMax);
  const ids = [...results, ...leftOut].map(({ id }) => id);
  const stored = await at.store.memories.findMany(call.project, ids);
  const texts = new Map(stored.map(({ id, memory }) => [id, memory]));
  const withText = <T extends { id: string }>(one: T) => {
    const memory = texts.get(one.id);
    return memory === undefined ? [] : [{ ...one, memory }];
  };
  const needed = stages.flatMap(({ stage, limit }) => (stage === 'cut' && limit ? [limit] : []));
  const ranking = {
    as_of: as_of ?? deps.clock.now(),
    tokens,
    results: results.flatMap(({ id, score }) => withText({ id, score })),
    cut: needed.length === 0 ? null : Math.min(...needed),
    left_out: leftOut.flatMap(({ id, score, stage }) => withText({ id, score, stage })),
  };
  return { ranking, left_out };
}

const leftOutMax = 20;

type Found = { at: Deps; tokens: number; explanation: Explanation };

async function search(deps: Deps, call: ProjectCall, asking: ReplayTime): Promise<Found> {
  const input = parseInput(contract.search_memories, inputOf(asking));
  const select = (now: Instant) => selectionOf(input, now, deps);
  const { at, selection } = await readAt(deps, call.project, { input, select });
  const { results, explanation } = await searchMemories(at, call, { ...input, selection });
  return {
    at,
    tokens: results.reduce((sum, { memory = '' }) => sum + estimateTokens(memory), 0),
    explanation: explanation ?? nothing,
  };
}

async function askForContext(deps: Deps, call: ProjectCall, asking: ReplayTime): Promise<Found> {
  const input = parseInput(contract.get_context, inputOf(asking));
  const select = (now: Instant) => selectionOf(input, now, deps);
  const { at, selection } = await readAt(deps, call.project, { input, select });
  const { answer } = await buildContext(at, call, { ...input, selection });
  return { at, tokens: answer.used, explanation: answer.explanation ?? nothing };
}

const nothing: Explanation = { stages: [], results: [], left_out: [] };

/** The same input, of the project that the call has found already. */
function inputOf({ recall, as_of }: ReplayTime): Record<string, unknown> {
  const { query, valid_at, settings } = recall.asked;
  return {
    ...settings,
    ...ownersOf(recall),
    ...(query !== undefined && { query }),
    ...(valid_at !== undefined && { valid_at }),
    ...(as_of !== null && { as_of }),
    explain: true,
  };
}

function ownersOf(recall: EntityIds): Partial<EntityIds> {
  const idFields = entityIdFields.filter((field) => recall[field] !== null);
  return Object.fromEntries(idFields.map((field) => [field, recall[field]]));
}
