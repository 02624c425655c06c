import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { EntityIds } from '../../../contract/schemas/entity.ts';
import { singleEntityIdsIn } from '../../../contract/schemas/filter-entity-ids.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import type {
  Bm25Weights,
  Candidate,
  CandidateQuery,
  ProjectRef,
  RunPlace,
  Selection,
  TimeRange,
} from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { StatementParameters } from '../../sql/prepared.ts';
import { countMemories, findSmallestEntity } from '../entities/memory-counters.ts';
import { candidateColumns, candidatesFromColumns, selectAsColumns } from './candidate-columns.ts';
import { type Postings, positionsByWeight, rankByBm25, readPostings } from './postings.ts';
import { findScopeTokens } from './scope-tokens.ts';
import { prepareForSelection } from './selection-statement.ts';
import { scanTerms, termScanMax } from './term-scan.ts';
import { findPositionsWithin, withinTimes } from './time-range.ts';

export async function searchCandidates(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { terms, bm25, limit, parts = [], ...counters }: CandidateQuery,
): Promise<Candidate[]> {
  if (terms.length === 0) return [];
  const owners = singleEntityIdsIn(selection.filter);
  const size = counters.size ?? (await countMemories(at, project, owners));
  if (size === 0) return [];
  const selections: CandidateSelection[] = [
    { selection, limit, timeRanges: null },
    ...parts.map(({ timeRanges, limit }) => ({
      selection: withinTimes(selection, timeRanges),
      limit,
      timeRanges,
    })),
  ];
  const find =
    size <= termScanMax
      ? searchByTermScan(at, project, { terms, bm25, owners })
      : await searchByTextIndex(at, project, { selection, terms, bm25, size });
  const candidates: Candidate[] = [];
  for (const one of selections) candidates.push(...(await find(one)));
  return candidates;
}

type CandidateSelection = {
  selection: Selection;
  limit: number;
  /** The times at which its memories were created; null if any time will do. */
  timeRanges: readonly TimeRange[] | null;
};
type FindInSelection = (part: CandidateSelection) => Promise<Candidate[]>;

function searchByTermScan(
  at: DbContext,
  project: ProjectRef,
  { terms, bm25, owners }: Pick<CandidateQuery, 'terms' | 'bm25'> & { owners: Partial<EntityIds> },
): FindInSelection {
  const narrowest = memoize(() => findSmallestEntity(at, project, owners));
  return async ({ selection, limit }) => {
    const by = await narrowest();
    const postings = await scanTerms(at, project, { selection, terms, by });
    return readRanked(at, project, { selection, limit, postings, bm25 });
  };
}

/** Reads and ranks memories whose terms were all scanned. */
async function readRanked(
  at: DbContext,
  project: ProjectRef,
  {
    selection,
    limit,
    postings,
    bm25,
  }: StrictOmit<CandidateSelection, 'timeRanges'> & {
    postings: readonly Postings[];
    bm25: Bm25Weights;
  },
): Promise<Candidate[]> {
  const reader = createReader(at, project, selection);
  const positions = positionsByWeight(postings)[Symbol.iterator]();
  return rankByBm25(await readFirst(reader, positions, limit), postings, bm25);
}

type TextIndexSearch = Pick<CandidateQuery, 'terms' | 'bm25'> & {
  selection: Selection;
  size: number;
};

/** Uses the index once for all selections. */
async function searchByTextIndex(
  at: DbContext,
  project: ProjectRef,
  { selection, terms, bm25, size }: TextIndexSearch,
): Promise<FindInSelection> {
  const scope = await findScopeTokens(at, project, selection.filter);
  if (scope === null) return async () => [];
  // Each step over many memories takes milliseconds, so other work gets a turn in between.
  const { postings, isWhole } = await readPostings(at, { scope, terms, size });
  await turnOfOthers();
  const holders = memoize(async () => {
    const [positions] = await at.dialect.textIndex.search(
      at,
      [{ scope, terms: [terms.flat()] }],
      noLimit,
    );
    return positions ?? [];
  });
  const inOrder = positionsByWeight(postings);
  return async ({ selection, limit, timeRanges }) => {
    // Fetching scattered rows costs more than scanning the time index.
    const within = timeRanges && (await findPositionsWithin(at, project, timeRanges));
    if (within?.positions) {
      const timePostings = await scanTerms(at, project, {
        selection,
        terms,
        among: within.positions,
      });
      return readRanked(at, project, { selection, limit, postings: timePostings, bm25 });
    }
    const reader = createReader(at, project, selection);
    const may = within?.mayContain ?? (() => true);
    const candidates = await readFirst(reader, filterPositions(inOrder, may), limit);
    if (isWhole || candidates.length === limit) return rankByBm25(candidates, postings, bm25);
    // If few candidates pass the filter, all memories with a term are checked.
    const readPositions = new Set(candidates.map(({ position }) => position));
    const otherPositions = filterPositions(
      await holders(),
      (position) => !readPositions.has(position) && may(position),
    );
    return [...candidates, ...(await readFirst(reader, otherPositions, limit - candidates.length))];
  };
}

function* filterPositions(positions: Iterable<number>, pass: (position: number) => boolean) {
  for (const position of positions) if (pass(position)) yield position;
}

function memoize<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

const noLimit = Number.MAX_SAFE_INTEGER;

type ReadCandidates = (positions: readonly number[]) => Promise<Candidate[]>;

/** The first `limit` positions that are in the selection, in their order. */
async function readFirst(
  reader: ReadCandidates,
  positions: Iterator<number>,
  limit: number,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (let size = limit; candidates.length < limit; size = Math.min(2 * size, chunkMax)) {
    const chunk = takePositions(positions, size);
    if (chunk.length === 0) break;
    if (size > limit) await turnOfOthers();
    const rows = new Map((await reader(chunk)).map((row) => [row.position, row]));
    candidates.push(...chunk.flatMap((position) => rows.get(position) ?? []));
  }
  return candidates.slice(0, limit);
}

/** Rows that one statement checks if few of them pass a filter. */
const chunkMax = 5000;

function takePositions(positions: Iterator<number>, count: number): number[] {
  const chunk: number[] = [];
  while (chunk.length < count) {
    const next = positions.next();
    if (next.done) break;
    chunk.push(next.value);
  }
  return chunk;
}

function createReader(at: DbContext, project: ProjectRef, selection: Selection): ReadCandidates {
  return async (positions) => {
    const parameters = { positions: JSON.stringify(positions) };
    return candidatesFromColumns(await readAtPositions(at, { project, selection }, parameters));
  };
}

const readAtPositions = prepareForSelection(
  (parts, value: StatementParameters<{ positions: string }>) =>
    selectAsColumns(parts, selectAtPositions(parts, value('positions')).where(parts.where)),
);

function selectAtPositions({ db, dialect }: Pick<DbContext, 'db' | 'dialect'>, positions: string) {
  return (
    db
      .selectFrom(dialect.positionsTable(positions).as('wanted'))
      // The cross join fixes the order of the tables; otherwise a whole index of the project may be
      // read.
      .crossJoin('memories')
      .select(candidateColumns)
      .whereRef('memories.position', '=', 'wanted.position')
  );
}

export async function findNewest(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { limit, ...range }: TimeRange & { limit: number },
): Promise<Candidate[]> {
  const within = withinTimes(selection, [range]);
  const rows = await readNewest(at, { project, selection: within }, { limit });
  return candidatesFromColumns(rows);
}

const readNewest = prepareForSelection((parts, value: StatementParameters<{ limit: number }>) =>
  selectAsColumns(
    parts,
    parts.db
      .selectFrom('memories')
      .select(candidateColumns)
      .where(parts.where)
      .orderBy('memories.created_at', 'desc')
      .orderBy('memories.position', 'desc')
      .limit(value('limit')),
  ),
);

type OccurrenceRange = { from: string; to: string; limit: number };

export async function findOccurring(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  range: OccurrenceRange,
): Promise<Candidate[]> {
  return candidatesFromColumns(await readOccurring(at, { project, selection }, range));
}

const readOccurring = prepareForSelection((parts, value: StatementParameters<OccurrenceRange>) =>
  selectAsColumns(
    parts,
    parts.db
      .selectFrom('memories')
      .select(candidateColumns)
      .where('memories.occurred_at', '>=', value('from'))
      .where('memories.occurred_at', '<', value('to'))
      .where(parts.where)
      .orderBy('memories.occurred_at', 'desc')
      .orderBy('memories.position', 'desc')
      .limit(value('limit')),
  ),
);

export async function findAtRunPlaces(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  places: readonly RunPlace[],
): Promise<Candidate[]> {
  if (places.length === 0) return [];
  const parameters = { places: JSON.stringify(places) };
  return candidatesFromColumns(await readAtRunPlaces(at, { project, selection }, parameters));
}

const readAtRunPlaces = prepareForSelection(
  (parts, value: StatementParameters<{ places: string }>) =>
    selectAsColumns(parts, selectAtRunPlaces(parts, value('places')).where(parts.where)),
);

function selectAtRunPlaces({ db, dialect }: Pick<DbContext, 'db' | 'dialect'>, places: string) {
  return (
    db
      .selectFrom(dialect.runPlacesTable(places).as('wanted'))
      // The cross join fixes the order of the tables: each place is looked up in the index of runs.
      .crossJoin('memories')
      .select(candidateColumns)
      .whereRef('memories.run_id', '=', 'wanted.run_id')
      .whereRef('memories.run_position', '=', 'wanted.run_position')
  );
}

export async function findAtPositions(
  at: DbContext,
  project: ProjectRef,
  positions: readonly number[],
): Promise<Candidate[]> {
  if (positions.length === 0) return [];
  return createReader(at, project, wholeProject)(positions);
}

const wholeProject: Selection = {
  filter: { all: [] },
  latest_only: false,
  not_expired_on: null,
  status: 'any',
};
