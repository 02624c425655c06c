import { invalid } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import { entityIdFields } from '../../contract/schemas/entity.ts';
import { runInTurns } from '../../turns.ts';
import type {
  Candidate,
  Deps,
  PastTime,
  ProjectRef,
  Selection,
  StoredMemory,
  TimeRange,
} from '../ports/index.ts';
import { pastRelations } from './past-relations.ts';
import { rankByTerms } from './rank-by-terms.ts';

type PresentStore = Deps['store'];
type Past = PastTime & { project: ProjectRef; selection: Selection };

/** All memories that a selection had at a time, once they are read. */
type PastMemories = {
  of(selection: Selection): Promise<ReadPast>;
  /** The candidates at these positions, among those that were read. */
  at(positions: readonly number[]): Candidate[];
  /** The texts of memories that have changed or been deleted since, by position. */
  texts: ReadonlyMap<number, string>;
};
type ReadPast = { candidates: readonly Candidate[]; selection: Selection };

/**
 * The same dependencies, in which the store and the clock are those of an earlier time: candidates
 * and the statistics of words and vectors come from the versions of that time alone. They are for
 * searches of one project, which read the selection once and compare all of it.
 */
export function depsAsOf(deps: Deps, past: Past): Deps {
  const { store } = deps;
  const memories = readPast(store, past);
  return {
    ...deps,
    clock: { ...deps.clock, now: () => past.as_of },
    store: {
      ...store,
      memories: { ...store.memories, ...pastMemoryTable(store, past, memories) },
      relations: { ...store.relations, list: pastRelations(store, past) },
      vectors: { ...store.vectors, ...pastVectorTable(store, memories) },
    },
  };
}

function readPast({ versions }: Pick<PresentStore, 'versions'>, past: Past): PastMemories {
  const { project, as_of, valid_at } = past;
  const read = new Map<Selection, Promise<ReadPast>>();
  const byPosition = new Map<number, Candidate>();
  const texts = new Map<number, string>();
  const load = async (selection: Selection) => {
    const limit = limits.as_of_memories_max;
    const rows = await versions.listCandidates(project, selection, { as_of, valid_at, limit });
    if (rows === null) throw tooMany(past);
    const all: Candidate[] = [...rows.unchanged, ...rows.changed];
    // A fact that was true at the time asked for has not ended.
    const candidates = valid_at === null ? all : all.map((one) => ({ ...one, valid_until: null }));
    for (const { position, memory } of rows.changed) texts.set(position, memory);
    for (const candidate of candidates) byPosition.set(candidate.position, candidate);
    return { candidates, selection };
  };
  return {
    of: (selection) => {
      const loading = read.get(selection) ?? load(selection);
      read.set(selection, loading);
      return loading;
    },
    at: (positions) => positions.flatMap((position) => byPosition.get(position) ?? []),
    texts,
  };
}

function tooMany({ valid_at }: Past) {
  const problem = `searches the past of up to ${limits.as_of_memories_max} memories`;
  const field = valid_at === null ? 'as_of' : 'valid_at';
  return invalid(field, `${problem}; name a user_id or other filters`);
}

function pastMemoryTable(
  store: Pick<PresentStore, 'versions' | 'languages'>,
  { project, selection: scope, ...time }: Past,
  memories: PastMemories,
): Partial<PresentStore['memories']> {
  const { versions } = store;
  const size = async () => (await memories.of(scope)).candidates.length;
  return {
    ...pastCandidates(memories),
    size,
    getScopeStats: async () => ({
      size: await size(),
      languages: await store.languages.list(project),
    }),
    findMany: (_project, ids) => versions.findMany(project, ids, time),
    list: (_project, selection, page) => versions.list(project, selection, { ...time, ...page }),
    findBySlot: async (_project, ids, slot) => {
      const owned = entityIdFields.filter((field) => ids[field] !== null);
      const isOwned = owned.map((field) => ({ field, path: [], operator: 'eq' as const }));
      const filter = { all: isOwned.map((one) => ({ ...one, value: ids[one.field] ?? '' })) };
      const all = { ...time, slot, limit: limits.as_of_memories_max };
      const oldest = await versions.listOldest(project, { ...scope, filter }, all);
      const isWanted = (memory: StoredMemory) =>
        entityIdFields.every((field) => memory[field] === ids[field]);
      return oldest.find(isWanted) ?? null;
    },
    listOldest: (_project, selection, limit) =>
      versions.listOldest(project, selection, { ...time, limit }),
  };
}

function pastCandidates(memories: PastMemories): Partial<PresentStore['memories']> {
  const candidatesOf = async (selection: Selection) => [
    ...(await memories.of(selection)).candidates,
  ];

  return {
    listCandidates: async (_project, selection, { terms, bm25, limit, parts = [] }) => {
      const all = await candidatesOf(selection);
      const rank = (some: readonly Candidate[], most: number) =>
        runInTurns(rankByTerms(some, { terms, bm25 })).then((ranked) => ranked.slice(0, most));
      const ranked = await rank(all, limit);
      for (const { timeRanges, limit: most } of parts)
        ranked.push(...(await rank(all.filter(isMadeIn(timeRanges)), most)));
      return ranked;
    },
    listNewest: async (_project, selection, { limit, ...timeRange }) => {
      const candidates = (await candidatesOf(selection)).filter(isMadeIn([timeRange]));
      return candidates.sort((one, other) => byAge(other, one)).slice(0, limit);
    },
    listByOccurrence: async (_project, selection, { from, to, limit }) => {
      const happens = ({ occurred_at }: Candidate) =>
        occurred_at !== null && occurred_at >= from && occurred_at < to;
      const candidates = (await candidatesOf(selection)).filter(happens);
      return candidates.sort((one, other) => byOccurrence(other, one)).slice(0, limit);
    },
    listByRunPlaces: async (_project, selection, places) => {
      const placeKeys = new Set(
        places.map(({ run_id, run_position }) => `${run_position} ${run_id}`),
      );
      const candidates = await candidatesOf(selection);
      return candidates.filter(({ run_id, run_position }) =>
        placeKeys.has(`${run_position} ${run_id}`),
      );
    },
    listByPositions: async (_project, positions) => memories.at(positions),
  };
}

function isMadeIn(ranges: readonly TimeRange[]) {
  return ({ created_at }: Candidate) =>
    ranges.some(({ from, to }) => created_at >= from && created_at < to);
}

type Aged = Pick<StoredMemory, 'created_at' | 'position'>;

function byAge(one: Aged, other: Aged): number {
  if (one.created_at !== other.created_at) return one.created_at < other.created_at ? -1 : 1;
  return one.position - other.position;
}

function byOccurrence(one: Candidate, other: Candidate): number {
  const [at = '', than = ''] = [one.occurred_at ?? '', other.occurred_at ?? ''];
  return at === than ? one.position - other.position : at < than ? -1 : 1;
}

/**
 * Vectors of unchanged texts are stored: the present compares all memories that it selects, and
 * those that existed then count. Vectors of changed texts are made again.
 */
function pastVectorTable(
  { vectors }: Pick<PresentStore, 'vectors'>,
  memories: PastMemories,
): Partial<PresentStore['vectors']> {
  const compare = createPastComparison(vectors, memories);
  return {
    preload: async () => null,
    searchNearest: async (project, selection, query) => {
      const { candidates } = await memories.of(selection);
      const present = await vectors.searchNearest(project, selection, query);
      const positions = candidates.map(({ position }) => position);
      const similarities = await compare(project, query, {
        positions,
        storedSimilarities: present.compared,
      });
      const neighbours = [...similarities].map(([position, similarity]) => ({
        position,
        similarity,
      }));
      neighbours.sort((one, other) => other.similarity - one.similarity);
      return { neighbours: neighbours.slice(0, query.limit), compared: similarities };
    },
    getSimilarities: (project, { positions, ...query }) =>
      compare(project, query, { positions, storedSimilarities: new Map() }),
  };
}

type Vectors = Pick<PresentStore['vectors'], 'getSimilarities' | 'compareTexts'>;
type PastVectorQuery = Pick<Parameters<Vectors['getSimilarities']>[1], 'model' | 'vector'>;
type PastPositions = {
  positions: readonly number[];
  /** What the present search has compared already, by position. */
  storedSimilarities: ReadonlyMap<number, number>;
};

/** Compares a query with memories as they were; returns the similarities by position. */
function createPastComparison(vectors: Vectors, memories: PastMemories) {
  return async (
    project: ProjectRef,
    { model, vector }: PastVectorQuery,
    { positions, storedSimilarities }: PastPositions,
  ) => {
    const changedPositions = positions.filter((position) => memories.texts.has(position));
    const texts = changedPositions.map((position) => ({
      position,
      memory: memories.texts.get(position) ?? '',
    }));
    const isUnknown = (position: number) =>
      !storedSimilarities.has(position) && !memories.texts.has(position);
    const unknownPositions = positions.filter(isUnknown);
    const [presentSimilarities, pastSimilarities] = await Promise.all([
      vectors.getSimilarities(project, { model, vector, positions: unknownPositions }),
      vectors.compareTexts({ model, vector, texts }),
    ]);
    const similarities = new Map<number, number>();
    for (const position of positions) {
      const similarity =
        pastSimilarities.get(position) ??
        presentSimilarities.get(position) ??
        storedSimilarities.get(position);
      if (similarity !== undefined) similarities.set(position, similarity);
    }
    for (const position of changedPositions)
      if (!pastSimilarities.has(position)) similarities.delete(position);
    return similarities;
  };
}
