import { entityIdFields } from '../../contract/schemas/entity.ts';
import type {
  Candidate,
  Deps,
  Instant,
  ProjectRef,
  SearchableVersion,
  Selection,
  StoredMemory,
  TimeRange,
} from '../ports/index.ts';
import { rankByTerms } from './rank-by-terms.ts';

type PresentStore = Deps['store'];
type Past = { project: ProjectRef; selection: Selection; as_of: Instant };

/** Made of all memories that a selection had at a time, once they are read. */
type PastMemories = {
  of(selection: Selection): Promise<SearchableVersion[]>;
  /** Of what was read. */
  at(positions: readonly number[]): SearchableVersion[];
};

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
      vectors: { ...store.vectors, ...pastVectorTable(store, memories) },
    },
  };
}

function readPast(
  { versions }: Pick<PresentStore, 'versions'>,
  { project, as_of }: Past,
): PastMemories {
  const read = new Map<Selection, Promise<SearchableVersion[]>>();
  const byPosition = new Map<number, SearchableVersion>();
  const load = async (selection: Selection) => {
    const found = await versions.listSearchable(project, selection, as_of);
    for (const version of found) byPosition.set(version.memory.position, version);
    return found;
  };
  return {
    of: (selection) => {
      const loading = read.get(selection) ?? load(selection);
      read.set(selection, loading);
      return loading;
    },
    at: (positions) => positions.flatMap((position) => byPosition.get(position) ?? []),
  };
}

function pastMemoryTable(
  store: Pick<PresentStore, 'versions' | 'languages'>,
  { project, selection: asked, as_of }: Past,
  memories: PastMemories,
): Partial<PresentStore['memories']> {
  const size = async () => (await memories.of(asked)).length;
  return {
    ...pastCandidates(memories),
    size,
    getScopeStats: async () => ({
      size: await size(),
      languages: await store.languages.list(project),
    }),
    findMany: (_project, ids) => store.versions.findMany(project, ids, as_of),
    findBySlot: async (_project, ids, slot) => {
      const isWanted = (memory: StoredMemory) =>
        memory.slot === slot && entityIdFields.every((field) => memory[field] === ids[field]);
      const found = (await memories.of(asked)).find(({ memory }) => isWanted(memory));
      return found?.memory ?? null;
    },
    listOldest: async (_project, selection, limit) => {
      const found = (await memories.of(selection)).map(({ memory }) => memory);
      return found.sort(byAge).slice(0, limit);
    },
  };
}

function pastCandidates(memories: PastMemories): Partial<PresentStore['memories']> {
  const candidatesOf = async (selection: Selection) =>
    (await memories.of(selection)).map(({ candidate }) => candidate);

  return {
    listCandidates: async (_project, selection, { terms, bm25, limit, parts = [] }) => {
      const all = await candidatesOf(selection);
      const rank = (some: readonly Candidate[], most: number) =>
        rankByTerms(some, { terms, bm25 }).slice(0, most);
      const dated = parts.flatMap(({ made, limit: most }) =>
        rank(all.filter(isMadeIn(made)), most),
      );
      return [...rank(all, limit), ...dated];
    },
    listNewest: async (_project, selection, { limit, ...made }) => {
      const found = (await candidatesOf(selection)).filter(isMadeIn([made]));
      return found.sort((one, other) => byAge(other, one)).slice(0, limit);
    },
    listByOccurrence: async (_project, selection, { from, to, limit }) => {
      const happens = ({ occurred_at }: Candidate) =>
        occurred_at !== null && occurred_at >= from && occurred_at < to;
      const found = (await candidatesOf(selection)).filter(happens);
      return found.sort((one, other) => byOccurrence(other, one)).slice(0, limit);
    },
    listByRunPlaces: async (_project, selection, places) => {
      const wanted = new Set(places.map(({ run_id, run_position }) => `${run_position} ${run_id}`));
      const found = await candidatesOf(selection);
      return found.filter(({ run_id, run_position }) => wanted.has(`${run_position} ${run_id}`));
    },
    listByPositions: async (_project, positions) =>
      memories.at(positions).map(({ candidate }) => candidate),
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

/** Vectors of texts that are still current are stored; those of the others are made again. */
function pastVectorTable(
  { vectors }: Pick<PresentStore, 'vectors'>,
  memories: PastMemories,
): Partial<PresentStore['vectors']> {
  type Query = Parameters<PresentStore['vectors']['getSimilarities']>[1];
  const compare = async (
    project: ProjectRef,
    { space, vector }: Pick<Query, 'space' | 'vector'>,
    versions: readonly SearchableVersion[],
  ) => {
    const stored = versions.filter(({ isCurrent }) => isCurrent);
    const positions = stored.map(({ memory }) => memory.position);
    const texts = versions.filter(({ isCurrent }) => !isCurrent).map(({ memory }) => memory);
    const [known, made] = await Promise.all([
      vectors.getSimilarities(project, { space, vector, positions }),
      vectors.compareTexts({ space, vector, texts }),
    ]);
    return new Map([...known, ...made]);
  };

  return {
    preload: async () => null,
    searchNearest: async (project, selection, { limit, ...query }) => {
      const compared = await compare(project, query, await memories.of(selection));
      const all = [...compared].map(([position, similarity]) => ({ position, similarity }));
      all.sort((one, other) => other.similarity - one.similarity);
      return { neighbours: all.slice(0, limit), compared };
    },
    getSimilarities: async (project, { positions, ...query }) =>
      compare(project, query, memories.at(positions)),
  };
}
