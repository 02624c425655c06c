import { sql } from 'kysely';
import type { Filter } from '../../contract/schemas/filter.ts';
import type { ProjectRef, Selection, TimeRange } from '../../core/ports/index.ts';
import { fromJson } from '../json.ts';
import type { At } from './at.ts';
import { heldMax } from './held-terms.ts';

/** Those of the selection that were made at one of these times. */
export function madeWithin(selection: Selection, times: readonly TimeRange[]): Selection {
  const made = times.map(({ from, to }): Filter => {
    return { all: [madeAt('gte', from), madeAt('lt', to)] };
  });
  const [only, ...others] = made;
  const any = only !== undefined && others.length === 0 ? only : { any: made };
  return { ...selection, filter: { all: [selection.filter, any] } };
}

function madeAt(operator: 'gte' | 'lt', value: string): Filter {
  return { field: 'created_at', path: [], operator, value };
}

/** Memories of some times, as far as the index by time tells. */
export type Made = {
  /** Where they are few, the positions of all of them. */
  few: readonly number[] | null;
  /** False for those that are not of these times; may be true for some more. */
  mayHave(position: number): boolean;
};

type Range = { count: number; first: number; last: number };

/** More are not listed: to read a row for each that is found costs less. */
const listedMax = 50_000;

/** Null where the project has more of these times than is worth asking for. */
export async function findMadeWithin(
  at: At,
  project: ProjectRef,
  times: readonly TimeRange[],
): Promise<Made | null> {
  const ranges: Range[] = [];
  let left = at.dialect.positionsAtOnce;
  for (const one of times) {
    const range = await findRange(at, positionsOf(at, project, one).limit(left + 1));
    left -= range.count;
    if (left < 0) return null;
    ranges.push(range);
  }
  const count = at.dialect.positionsAtOnce - left;
  // Stored one after the other, as most are: what is between them is of these times, too.
  if (count > heldMax && ranges.every(isDense)) {
    const isIn = (position: number) =>
      ranges.some(({ first, last }) => first <= position && position <= last);
    return { few: null, mayHave: isIn };
  }
  if (count > listedMax) return null;
  const positions: number[] = [];
  for (const one of times) {
    positions.push(...(await readPositions(at, positionsOf(at, project, one))));
  }
  const known = new Set(positions);
  return { few: count <= heldMax ? positions : null, mayHave: (position) => known.has(position) };
}

function isDense({ count, first, last }: Range): boolean {
  return last - first < 2 * count;
}

function positionsOf({ db }: At, project: ProjectRef, { from, to }: TimeRange) {
  return db
    .selectFrom('memories')
    .select('position')
    .where('project_key', '=', project.key)
    .where('created_at', '>=', from)
    .where('created_at', '<', to);
}

type Positions = ReturnType<typeof positionsOf>;

/** Takes a tenth of what it takes to read them. */
async function findRange({ db, run }: At, positions: Positions): Promise<Range> {
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

async function readPositions({ db, dialect, run }: At, positions: Positions): Promise<number[]> {
  const list = dialect.list(sql.ref('made.position')).as('positions');
  const [row] = await run(db.selectFrom(positions.as('made')).select(list).compile());
  return fromJson<number[]>(row?.positions ?? '[]');
}
