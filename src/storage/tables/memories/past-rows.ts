import { sql } from 'kysely';
import type { PastTime, ProjectRef } from '../../../core/ports/index.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlCondition } from '../../sql/dialect.ts';
import { memoryColumns } from './memory-row.ts';
import { versionsWithText } from './version-texts.ts';

/** A condition on `memories`, and the time at which they are to meet it. */
export type PastQuery = PastTime & {
  where: SqlCondition;
  /** The condition names some memories, of which the versions of all times are few. */
  namesMemories?: boolean;
  /** That rows are of the project, put so that they are read in order; by default by an index. */
  inProject?: SqlCondition;
};

/** Memories that are unchanged since a time. */
export function unchangedSince(
  { db }: DbContext,
  project: ProjectRef,
  { where, as_of, valid_at, inProject = isOf(project) }: PastQuery,
) {
  return db
    .selectFrom('memories')
    .where(inProject)
    .where('recorded_from', '<=', as_of)
    .where(where)
    .where(answersAsHeld(project, { as_of, valid_at }));
}

/** Versions of memories that changed or were deleted since a time, under the name `memories`. */
export function changedSince(
  { db }: DbContext,
  project: ProjectRef,
  { where, as_of, valid_at, namesMemories, inProject = isOf(project) }: PastQuery,
) {
  // Not the column alone, whose index has all that the project held at the time.
  const until = namesMemories
    ? sql<string>`recorded_until || ''`
    : sql.ref<string>('recorded_until');
  const held = db
    .selectFrom(versionsWithText(db).as('memories'))
    .where(inProject)
    .where('recorded_from', '<=', as_of)
    .where(where);
  if (valid_at === null) return held.where(until, '>', as_of);
  return held.where(
    sql<boolean>`case when recorded_until > ${as_of} then ${answersAsHeld(project, { as_of, valid_at })}
else ${answersBeforeItWasSuperseded(project, { as_of, valid_at })} end`,
  );
}

/** The rows that `memories` had at this time. The condition can use the indexes of both tables. */
export function rowsAsOf(at: DbContext, project: ProjectRef, query: PastQuery) {
  const unchanged = unchangedSince(at, project, query).select(memoryColumns);
  const changed = changedSince(at, project, query).select(memoryColumns);
  return at.db.selectFrom(unchanged.unionAll(changed).as('held'));
}

function isOf({ key }: ProjectRef): SqlCondition {
  return sql`memories.project_key = ${key}`;
}

function isTrueAt(row: string, valid_at: string | null): SqlCondition {
  if (valid_at === null) return sql`(1 = 1)`;
  const [from, until] = [sql.ref(`${row}.valid_from`), sql.ref(`${row}.valid_until`)];
  return sql`((${from} is null or ${from} <= ${valid_at})
and (${until} is null or ${until} > ${valid_at}))`;
}

/** The version of that time was true at `valid_at`, and no earlier version fits better. */
function answersAsHeld(project: ProjectRef, { as_of, valid_at }: PastTime): SqlCondition {
  if (valid_at === null) return sql`(1 = 1)`;
  return sql`(${isTrueAt('memories', valid_at)} and not ${saidMore(project, { as_of, valid_at })})`;
}

type BothTimes = { as_of: string; valid_at: string };

/**
 * A version that was superseded by then and true until that. It answers for its memory if the
 * memory was still held, but not true then, or is only the rest of it; of several such versions the
 * last one answers, or the first of which a part was superseded.
 */
function answersBeforeItWasSuperseded(project: ProjectRef, times: BothTimes): SqlCondition {
  const { as_of, valid_at } = times;
  const isHeld = (row: string) =>
    sql`${isOfMemory(project, row)} and ${sql.ref(`${row}.recorded_from`)} <= ${as_of}`;
  const wasTrue = (row: string) => isTrueAt(row, valid_at);
  return sql`(${wasSuperseded('memories', times)}
and not ${saidMore(project, times, sql`part.key < memories.key`)}
and (memories.superseded_in_part = 1 or (
not exists (select 1 from memory_versions later where ${isOfMemory(project, 'later')}
and later.key > memories.key and ${wasSuperseded('later', times)})
and (exists (select 1 from memories present where ${isHeld('present')} and not ${wasTrue('present')})
or exists (select 1 from memory_versions past where ${isHeld('past')}
and past.recorded_until > ${as_of} and not ${wasTrue('past')})))))`;
}

/** A version of the memory said what is left in `memories`, and what was superseded later. */
function saidMore(
  project: ProjectRef,
  times: BothTimes,
  which: SqlCondition = sql`1 = 1`,
): SqlCondition {
  return sql`exists (select 1 from memory_versions part where ${isOfMemory(project, 'part')}
and part.superseded_in_part = 1 and ${which} and ${wasSuperseded('part', times)})`;
}

function isOfMemory({ key }: ProjectRef, row: string): SqlCondition {
  return sql`${sql.ref(`${row}.project_key`)} = ${key} and ${sql.ref(`${row}.id`)} = memories.id`;
}

/** True at `valid_at`, and superseded later, as the store knew it at `as_of`. */
function wasSuperseded(row: string, { as_of, valid_at }: BothTimes): SqlCondition {
  return sql`${sql.ref(`${row}.superseded_at`)} > ${valid_at}
and ${sql.ref(`${row}.recorded_until`)} <= ${as_of} and ${isTrueAt(row, valid_at)}`;
}
