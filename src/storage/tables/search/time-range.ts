import { sql } from 'kysely';
import type { Filter } from '../../../contract/schemas/filter.ts';
import type { ProjectRef, Selection, TimeRange } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson } from '../../sql/json.ts';
import { termScanMax } from './term-scan.ts';

/** Those of the selection that were made at one of these times. */
export function withinTimes(selection: Selection, times: readonly TimeRange[]): Selection {
  const made = times.map(({ from, to }): Filter => {
    return { all: [createdAtFilter('gte', from), createdAtFilter('lt', to)] };
  });
  const [only, ...others] = made;
  const any = only !== undefined && others.length === 0 ? only : { any: made };
  return { ...selection, filter: { all: [selection.filter, any] } };
}

function createdAtFilter(operator: 'gte' | 'lt', value: string): Filter {
  return { field: 'created_at', path: [], operator, value };
}

/** Memories of some times, as far as the index by time tells. */
export type TimeRangeMatches = {
  /** Where they are few, the positions of all of them. */
  positions: readonly number[] | null;
  /** False for those that are not of these times; may be true for some more. */
  mayContain(position: number): boolean;
};

type PositionRange = { count: number; first: number; last: number };

/** More are not listed: to read a row for each that is found costs less. */
const positionListMax = 50_000;

/** Null where the project has more of these times than is worth asking for. */
export async function findPositionsWithin(
  at: DbContext,
  project: ProjectRef,
  times: readonly TimeRange[],
): Promise<TimeRangeMatches | null> {
  const ranges: PositionRange[] = [];
  let left = at.dialect.positionScanMax;
  for (const one of times) {
    const range = await findRange(at, selectPositions(at, project, one).limit(left + 1));
    left -= range.count;
    if (left < 0) return null;
    ranges.push(range);
  }
  const count = at.dialect.positionScanMax - left;
  // Stored one after the other, as most are: what is between them is of these times, too.
  if (count > termScanMax && ranges.every(isDense)) {
    const isIn = (position: number) =>
      ranges.some(({ first, last }) => first <= position && position <= last);
    return { positions: null, mayContain: isIn };
  }
  if (count > positionListMax) return null;
  const positions: number[] = [];
  for (const one of times) {
    positions.push(...(await readPositions(at, selectPositions(at, project, one))));
  }
  const known = new Set(positions);
  return {
    positions: count <= termScanMax ? positions : null,
    mayContain: (position) => known.has(position),
  };
}

function isDense({ count, first, last }: PositionRange): boolean {
  return last - first < 2 * count;
}

function selectPositions({ db }: DbContext, project: ProjectRef, { from, to }: TimeRange) {
  return db
    .selectFrom('memories')
    .select('position')
    .where('project_key', '=', project.key)
    .where('created_at', '>=', from)
    .where('created_at', '<', to);
}

type PositionQuery = ReturnType<typeof selectPositions>;

/** Takes a tenth of what it takes to read them. */
async function findRange({ db, run }: DbContext, positions: PositionQuery): Promise<PositionRange> {
  const range = db
    .selectFrom(positions.as('made'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min('made.position').as('first'),
      fn.max('made.position').as('last'),
    ]);
  const [row] = await run(range.compile());
  return { count: row?.count ?? 0, first: row?.first ?? 0, last: row?.last ?? 0 };
}

async function readPositions(
  { db, dialect, run }: DbContext,
  positions: PositionQuery,
): Promise<number[]> {
  const list = dialect.aggregateJson(sql.ref('made.position')).as('positions');
  const [row] = await run(db.selectFrom(positions.as('made')).select(list).compile());
  return fromJson<number[]>(row?.positions ?? '[]');
}
