import { setImmediate as turnOfOthers } from 'node:timers/promises';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import { entitiesNamed } from '../../contract/schemas/filter-entities.ts';
import type {
  Candidate,
  ProjectRef,
  QueryTerm,
  RunPlace,
  Selection,
  TimeRange,
} from '../../core/ports/index.ts';
import { selectionSql } from '../filter-sql.ts';
import type { Values } from '../prepared.ts';
import type { At } from './at.ts';
import { candidateColumns, fromLists, inLists } from './candidate-lists.ts';
import { countMemories, narrowestOf } from './counters.ts';
import { heldMax, readHeld } from './held-terms.ts';
import { findMadeWithin, madeWithin } from './made-within.ts';
import { plainOf, preparedPlain } from './plain-selection.ts';
import { likeliest, ordered, type Postings, readPostings } from './postings.ts';
import { findScope } from './search-scope.ts';

export type CandidateQuery = {
  selection: Selection;
  terms: readonly QueryTerm[];
  limit: number;
  size?: number;
  /** Of those of the selection made at these times, so many each as well. */
  parts?: readonly { made: readonly TimeRange[]; limit: number }[];
};

export async function findCandidates(
  at: At,
  project: ProjectRef,
  { selection, terms, limit, parts = [], ...known }: CandidateQuery,
): Promise<Candidate[]> {
  if (terms.length === 0) return [];
  const named = entitiesNamed(selection.filter);
  const size = known.size ?? (await countMemories(at, project, named));
  if (size === 0) return [];
  const wanted: Wanted[] = [
    { selection, limit },
    ...parts.map((part) => ({ ...part, selection: madeWithin(selection, part.made) })),
  ];
  const isSmall = size <= heldMax && isLookedUp(project, selection, named);
  const find = isSmall
    ? findAmongFew(at, project, { terms, named })
    : await findAmongMany(at, project, { selection, terms, size });
  const found: Candidate[] = [];
  for (const one of wanted) found.push(...(await find(one)));
  return found;
}

type Wanted = { selection: Selection; limit: number; made?: readonly TimeRange[] };
type Find = (wanted: Wanted) => Promise<Candidate[]>;

function findAmongFew(
  at: At,
  project: ProjectRef,
  { terms, named }: { terms: readonly QueryTerm[]; named: Partial<EntityIds> },
): Find {
  const narrowest = once(() => narrowestOf(at, project, named));
  return async ({ selection, limit }) => {
    const by = await narrowest();
    const postings = await readHeld(at, project, { selection, terms, by });
    return readHolders(at, project, { selection, limit, postings });
  };
}

/** Of memories whose terms were all looked through. */
async function readHolders(
  at: At,
  project: ProjectRef,
  { selection, limit, postings }: Omit<Wanted, 'made'> & { postings: readonly Postings[] },
): Promise<Candidate[]> {
  const read = readerOf(at, project, selection);
  const positions = likeliest(postings)[Symbol.iterator]();
  return ordered(await readFirst(read, positions, limit), postings);
}

/** The index is asked once, whatever is wanted of what it finds. */
async function findAmongMany(
  at: At,
  project: ProjectRef,
  { selection, terms, size }: Omit<CandidateQuery, 'limit' | 'parts'> & { size: number },
): Promise<Find> {
  const scope = await findScope(at, project, selection.filter);
  if (scope === null) return async () => [];
  // The steps of a search of many memories take milliseconds each: between them others may go on.
  const { postings, isWhole } = await readPostings(at, { scope, terms, size });
  await turnOfOthers();
  const holders = once(async () => {
    const [found] = await at.dialect.index.find(at, [{ scope, terms: [terms.flat()] }], all);
    return found ?? [];
  });
  const inOrder = likeliest(postings);
  return async ({ selection, limit, made }) => {
    // Rows that lie all over the store cost more than what the index by time knows of all.
    const within = made === undefined ? null : await findMadeWithin(at, project, made);
    if (within?.few) {
      const held = await readHeld(at, project, { selection, terms, among: within.few });
      return readHolders(at, project, { selection, limit, postings: held });
    }
    const read = readerOf(at, project, selection);
    const may = within?.mayHave ?? (() => true);
    const found = await readFirst(read, those(inOrder, may), limit);
    if (isWhole || found.length === limit) return ordered(found, postings);
    // Few of what was read pass the filter: it is asked of all that hold a term.
    const known = new Set(found.map(({ position }) => position));
    const others = those(await holders(), (position) => !known.has(position) && may(position));
    return [...found, ...(await readFirst(read, others, limit - found.length))];
  };
}

function* those(positions: Iterable<number>, pass: (position: number) => boolean) {
  for (const position of positions) if (pass(position)) yield position;
}

function once<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined;
  return () => {
    reading ??= read();
    return reading;
  };
}

/** Whether it is known which index leads to the memories, and to no more of them. */
function isLookedUp(project: ProjectRef, selection: Selection, named: Partial<EntityIds>): boolean {
  return Object.keys(named).length < 2 || plainOf(project, selection) !== null;
}

const all = Number.MAX_SAFE_INTEGER;

type Read = (positions: readonly number[]) => Promise<Candidate[]>;

/** The first `limit` of the positions that the selection holds, in their order. */
async function readFirst(
  read: Read,
  positions: Iterator<number>,
  limit: number,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (let size = limit; found.length < limit; size = Math.min(2 * size, chunkMax)) {
    const chunk = take(positions, size);
    if (chunk.length === 0) break;
    if (size > limit) await turnOfOthers();
    const rows = new Map((await read(chunk)).map((row) => [row.position, row]));
    found.push(...chunk.flatMap((position) => rows.get(position) ?? []));
  }
  return found.slice(0, limit);
}

/** Rows that one statement looks at, where few of them pass a filter. */
const chunkMax = 5000;

function take(positions: Iterator<number>, count: number): number[] {
  const taken: number[] = [];
  while (taken.length < count) {
    const next = positions.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

function readerOf(at: At, project: ProjectRef, selection: Selection): Read {
  const plain = plainOf(project, selection);
  if (plain !== null) {
    return async (positions) =>
      fromLists(await readPlain(at, plain, { positions: JSON.stringify(positions) }));
  }
  return async (positions) => {
    const rows = atPositions(at, JSON.stringify(positions))
      .where('memories.project_key', '=', project.key)
      .where(selectionSql(selection, at.dialect.filter));
    return fromLists(await at.run(inLists(at, rows).compile()));
  };
}

const readPlain = preparedPlain((parts, value: Values<{ positions: string }>) =>
  inLists(parts, atPositions(parts, value('positions')).where(parts.where)),
);

function atPositions({ db, dialect }: Pick<At, 'db' | 'dialect'>, positions: string) {
  return (
    db
      .selectFrom(dialect.positions(positions).as('wanted'))
      // A cross join keeps the order of the tables: else an index of the project may be read whole.
      .crossJoin('memories')
      .select(candidateColumns)
      .whereRef('memories.position', '=', 'wanted.position')
  );
}

type Newest = TimeRange & { selection: Selection; limit: number };

export async function findNewest(
  at: At,
  project: ProjectRef,
  { limit, ...query }: Newest,
): Promise<Candidate[]> {
  const selection = madeWithin(query.selection, [query]);
  const plain = plainOf(project, selection);
  if (plain !== null) return fromLists(await findPlainNewest(at, plain, { limit }));
  const newest = at.db
    .selectFrom('memories')
    .select(candidateColumns)
    .where('memories.project_key', '=', project.key)
    .where(selectionSql(selection, at.dialect.filter))
    .orderBy('memories.created_at', 'desc')
    .orderBy('memories.position', 'desc')
    .limit(limit);
  return fromLists(await at.run(inLists(at, newest).compile()));
}

const findPlainNewest = preparedPlain((parts, value: Values<{ limit: number }>) =>
  inLists(
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

type Happening = { selection: Selection; from: string; to: string; limit: number };

export async function findHappening(
  at: At,
  project: ProjectRef,
  { selection, from, to, limit }: Happening,
): Promise<Candidate[]> {
  const plain = plainOf(project, selection);
  if (plain !== null) {
    return fromLists(await findPlainHappening(at, plain, { begins: from, ends: to, limit }));
  }
  const happening = at.db
    .selectFrom('memories')
    .select(candidateColumns)
    .where('memories.project_key', '=', project.key)
    .where('memories.occurred_at', '>=', from)
    .where('memories.occurred_at', '<', to)
    .where(selectionSql(selection, at.dialect.filter))
    .orderBy('memories.occurred_at', 'desc')
    .orderBy('memories.position', 'desc')
    .limit(limit);
  return fromLists(await at.run(inLists(at, happening).compile()));
}

type Range = { begins: string; ends: string; limit: number };

const findPlainHappening = preparedPlain((parts, value: Values<Range>) =>
  inLists(
    parts,
    parts.db
      .selectFrom('memories')
      .select(candidateColumns)
      .where('memories.occurred_at', '>=', value('begins'))
      .where('memories.occurred_at', '<', value('ends'))
      .where(parts.where)
      .orderBy('memories.occurred_at', 'desc')
      .orderBy('memories.position', 'desc')
      .limit(value('limit')),
  ),
);

export async function findAtPlaces(
  at: At,
  project: ProjectRef,
  { selection, places }: { selection: Selection; places: readonly RunPlace[] },
): Promise<Candidate[]> {
  if (places.length === 0) return [];
  const wanted = JSON.stringify(places);
  const plain = plainOf(project, selection);
  if (plain !== null) return fromLists(await findPlainAtPlaces(at, plain, { places: wanted }));
  const there = atPlaces(at, wanted)
    .where('memories.project_key', '=', project.key)
    .where(selectionSql(selection, at.dialect.filter));
  return fromLists(await at.run(inLists(at, there).compile()));
}

const findPlainAtPlaces = preparedPlain((parts, value: Values<{ places: string }>) =>
  inLists(parts, atPlaces(parts, value('places')).where(parts.where)),
);

function atPlaces({ db, dialect }: Pick<At, 'db' | 'dialect'>, places: string) {
  return (
    db
      .selectFrom(dialect.places(places).as('wanted'))
      // A cross join keeps the order of the tables: each place is looked up in the index of runs.
      .crossJoin('memories')
      .select(candidateColumns)
      .whereRef('memories.run_id', '=', 'wanted.run_id')
      .whereRef('memories.place', '=', 'wanted.place')
  );
}

export async function findAtPositions(
  at: At,
  project: ProjectRef,
  positions: readonly number[],
): Promise<Candidate[]> {
  if (positions.length === 0) return [];
  return readerOf(at, project, everything)(positions);
}

const everything: Selection = { filter: { all: [] }, latest_only: false, not_expired_on: null };
