import type { Ranking, RecallDifference, RecallReason } from '../../contract/operations/recalls.ts';
import type { Explanation } from '../../contract/schemas/search.ts';
import type { Deps, Instant, StoredMemory, StoredProject, StoredRecall } from '../ports/index.ts';
import { lossInWords } from '../search/explanation.ts';
import { rankingVersion } from '../search/weights.ts';

/** An answer to a question that was put again, and what fell out of it at which stage. */
export type PutAgain = { ranking: Ranking; left_out: Explanation['left_out'] };

type Replayed = { recall: StoredRecall; then: PutAgain; now: PutAgain };

/** The places of a memory: in the answer that was kept, as of then, and now; null without one. */
type Places = { kept: number | null | undefined; was: number | null; is: number | null };

type Why = { reason: RecallReason; detail: string };

/** Each memory whose place or text differs, with the reason; by its place then, new ones last. */
export async function explainDifferences(
  deps: Pick<Deps, 'store' | 'clock'>,
  project: StoredProject,
  replayed: Replayed,
): Promise<RecallDifference[]> {
  const { recall, then, now } = replayed;
  const all = [...then.ranking.results, ...recall.hits, ...now.ranking.results];
  const ids = [...new Set(all.map(({ id }) => id))];
  const states = await readStates(deps, project, { ids, as_of: then.ranking.as_of });
  const order = commonOrder(replayed);
  return ids.flatMap((id) => {
    const state = {
      ...states,
      project,
      before: states.before.get(id),
      after: states.after.get(id),
    };
    const places = placesOf(id, replayed);
    const why = reasonOf({ id, places, isMoved: order(id) }, state, replayed);
    if (why === null) return [];
    const memory = state.after?.memory ?? state.before?.memory ?? '';
    const then_rank = places.was ?? places.kept ?? null;
    return [{ memory_id: id, memory, then_rank, now_rank: places.is, ...why }];
  });
}

type States = {
  before: ReadonlyMap<string, StoredMemory>;
  after: ReadonlyMap<string, StoredMemory>;
  present: Instant;
};

async function readStates(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  project: StoredProject,
  { ids, as_of }: { ids: readonly string[]; as_of: Instant },
): Promise<States> {
  const before = await store.versions.findMany(project, ids, { as_of, valid_at: null });
  const after = await store.memories.findMany(project, ids);
  const byId = (memories: StoredMemory[]) => new Map(memories.map((one) => [one.id, one]));
  return { before: byId(before), after: byId(after), present: clock.now() };
}

/** Whether a memory changed its rank among the memories that are in both answers. */
function commonOrder({ then, now }: Replayed): (id: string) => boolean {
  const [old, current] = [idsOf(then), idsOf(now)];
  const [common, later] = [
    old.filter((id) => current.includes(id)),
    current.filter((id) => old.includes(id)),
  ];
  return (id) => common.indexOf(id) !== later.indexOf(id);
}

function idsOf({ ranking }: PutAgain): string[] {
  return ranking.results.map(({ id }) => id);
}

function placesOf(id: string, { recall, then, now }: Replayed): Places {
  const rankIn = (ids: readonly string[]) => (ids.includes(id) ? ids.indexOf(id) + 1 : null);
  const ranks = rankIn(recall.hits.map((hit) => hit.id));
  // Only the beginning of a longer answer was kept.
  const isWhole = recall.hits.length === recall.total;
  return {
    kept: isWhole ? ranks : (ranks ?? undefined),
    was: rankIn(idsOf(then)),
    is: rankIn(idsOf(now)),
  };
}

type MemoryState = {
  project: StoredProject;
  before: StoredMemory | undefined;
  after: StoredMemory | undefined;
  present: Instant;
};
type Placed = { id: string; places: Places; isMoved: boolean };

function reasonOf({ id, places, isMoved }: Placed, state: MemoryState, all: Replayed): Why | null {
  const { kept, was, is } = places;
  if (kept !== undefined && (kept === null) !== (was === null)) {
    if ((kept === null) === (is === null)) return null;
    return changeOf(state) ?? otherRanking(all.recall);
  }
  if (was === null) return is === null ? null : whyNew(id, state, all);
  if (is === null) return whyGone(id, state, all);
  const rewriting = rewritingOf(state);
  if (rewriting !== null || !isMoved) return rewriting;
  return decayOf(id, state, all) ?? movedBy(id, all);
}

function otherRanking({ ranking }: StoredRecall): Why {
  const detail =
    ranking === rankingVersion
      ? 'The same question is answered differently as of then: models or settings have changed.'
      : `Ranking ${ranking} answered then; this is ranking ${rankingVersion}.`;
  return { reason: 'ranking', detail };
}

/** Why a memory that was in the answer is not in it any more. */
function whyGone(id: string, state: MemoryState, all: Replayed): Why {
  const lost = all.now.left_out.find((one) => one.id === id);
  const cut: Why | null = lost === undefined ? null : { reason: 'cut', detail: lossInWords(lost) };
  const notFound: Why = { reason: 'not_found', detail: 'The question does not find it any more.' };
  return changeOf(state) ?? decayOf(id, state, all) ?? cut ?? notFound;
}

function whyNew(id: string, { before, ...state }: MemoryState, { then }: Replayed): Why {
  if (before === undefined) return { reason: 'learned_later', detail: 'It was not known then.' };
  const lost = then.left_out.find((one) => one.id === id);
  const cut: Why | null =
    lost === undefined ? null : { reason: 'cut', detail: `As of then: ${lossInWords(lost)}` };
  if (before.status !== 'active' && state.after?.status === 'active')
    return { reason: 'hidden', detail: 'It waited for a review then.' };
  const notFound: Why = { reason: 'not_found', detail: 'The question did not find it then.' };
  return rewritingOf({ before, ...state }) ?? cut ?? notFound;
}

/** What happened to the memory itself; null if nothing did. */
function changeOf(state: MemoryState): Why | null {
  const { after, present } = state;
  if (after === undefined) return { reason: 'deleted', detail: 'It was deleted.' };
  if (after.replaced_by !== null)
    return { reason: 'superseded', detail: `It was merged into ${after.replaced_by}.` };
  const rewriting = rewritingOf(state);
  if (rewriting !== null) return rewriting;
  const { expiration_date: day, status } = after;
  if (day !== null && day < present.slice(0, day.length))
    return { reason: 'expired', detail: `It expired on ${day}.` };
  if (status !== 'active') return { reason: 'hidden', detail: 'It waits for a review.' };
  return null;
}

/** It says something else, or it is true for another time. */
function rewritingOf({ before, after, present }: MemoryState): Why | null {
  if (before === undefined || after === undefined) return null;
  if (before.memory !== after.memory)
    return { reason: 'superseded', detail: `It said: ${before.memory}` };
  const { valid_until } = after;
  if (valid_until === null || valid_until > present || valid_until === before.valid_until)
    return null;
  return { reason: 'superseded', detail: `It was true until ${valid_until}.` };
}

/** In projects with `decay`, scores fall with time. */
function decayOf(id: string, { project }: MemoryState, { then, now }: Replayed): Why | null {
  const [old, current] = [scoreIn(then, id), scoreIn(now, id)];
  if (!project.settings.decay || old === null || current === null || current >= old) return null;
  return { reason: 'decayed', detail: `Its score fell from ${old} to ${current}.` };
}

function movedBy(id: string, { then, now }: Replayed): Why {
  const [old, current] = [scoreIn(then, id), scoreIn(now, id)];
  const detail = `Its score is ${current}, and was ${old}; those of others changed as well.`;
  return { reason: 'others', detail };
}

function scoreIn({ ranking, left_out }: PutAgain, id: string): number | null {
  return [...ranking.results, ...left_out].find((one) => one.id === id)?.score ?? null;
}
