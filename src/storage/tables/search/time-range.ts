import { sql } from 'kysely';
import type { Filter } from '../../../contract/schemas/filter.ts';
import type { ProjectRef, Selection, TimeRange } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { fromJson } from '../../sql/json.ts';
import { termScanMax } from './term-scan.ts';

/** The memories of the selection that were created at one of these times. */
export function withinTimes(selection: Selection, timeRanges: readonly TimeRange[]): Selection {
  const ranges = timeRanges.map(({ from, to }): Filter => {
    return { all: [createdAtFilter('gte', from), createdAtFilter('lt', to)] };
  });
  const [only, ...others] = ranges;
  const any = only !== undefined && others.length === 0 ? only : { any: ranges };
  return { ...selection, filter: { all: [selection.filter, any] } };
}

function createdAtFilter(operator: 'gte' | 'lt', value: string): Filter {
  return { field: 'created_at', path: [], operator, value };
}

/** Memories of certain times, according to the time index. */
export type TimeRangeMatches = {
  /** All their positions, if they are few. */
  positions: readonly number[] | null;
  /** False only for memories of other times, but may be true for some of them as well. */
  mayContain(position: number): boolean;
};

type PositionRange = { count: number; first: number; last: number };

/** If there are more, reading the row of each candidate costs less. */
const positionListMax = 50_000;

/** Null if the project has too many memories of these times. */
export async function findPositionsWithin(
  at: DbContext,
  project: ProjectRef,
  timeRanges: readonly TimeRange[],
): Promise<TimeRangeMatches | null> {
  const ranges: PositionRange[] = [];
  let left = at.dialect.positionScanMax;
  for (const one of timeRanges) {
    const range = await findRange(at, selectPositions(at, project, one).limit(left + 1));
    left -= range.count;
    if (left < 0) return null;
    if (range.count > 0) ranges.push(range);
  }
  const count = at.dialect.positionScanMax - left;
  // Most memories are stored in order of time: then every position between the first and the last
  // one matches.
  if (count > termScanMax && ranges.every(isDense)) {
    const isIn = (position: number) =>
      ranges.some(({ first, last }) => first <= position && position <= last);
    return { positions: null, mayContain: isIn };
  }
  if (count > positionListMax) return null;
  const positions: number[] = [];
  for (const one of timeRanges) {
    positions.push(...(await readPositions(at, selectPositions(at, project, one))));
  }
  const positionSet = new Set(positions);
  return {
    positions: count <= termScanMax ? positions : null,
    mayContain: (position) => positionSet.has(position),
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

/** Counting takes a tenth of the time of reading. */
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
