import { type AliasableExpression, sql } from 'kysely';
import type {
  Candidate,
  PastCandidates,
  PastTime,
  ProjectRef,
  Selection,
} from '../../../core/ports/index.ts';
import { createTurns, partsOf } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import { selectionSql } from '../../sql/filter-sql.ts';
import { listsFromJson } from '../../sql/json.ts';
import {
  candidateColumns,
  candidatesFromColumns,
  selectAsColumns,
} from '../search/candidate-columns.ts';
import { changedSince, unchangedSince } from './past-rows.ts';
import { versionsWithText } from './version-texts.ts';

/**
 * Finds the rows at once and reads them in parts, with other work of this process in between. What
 * changes meanwhile is in the versions, which are looked up last.
 */
export async function listPastCandidates(
  at: DbContext,
  project: ProjectRef,
  selection: Selection,
  { limit, ...time }: PastTime & { limit: number },
): Promise<PastCandidates | null> {
  const past = { ...time, where: selectionSql(selection, at.dialect.filter) };
  const rowsMax = limit + 1;
  const same = unchangedSince(at, project, past).select('memories.position as key').limit(rowsMax);
  const sameKeys = await readKeys(at, same);
  if (sameKeys.length > limit) return null;
  const unchanged = await readInParts(sameKeys, (keys) => readUnchanged(at, keys, time));
  const gone = changedSince(at, project, past).select('memories.key').limit(rowsMax);
  const goneKeys = await readKeys(at, gone);
  if (goneKeys.length > limit) return null;
  const changed = await readInParts(goneKeys, (keys) => readChanged(at, keys));
  const again = new Set(changed.map(({ position }) => position));
  const unchangedRows = unchanged.filter(({ position }) => !again.has(position));
  return unchangedRows.length + changed.length > limit
    ? null
    : { unchanged: unchangedRows, changed };
}

/** As one value: a row for each would cost more than finding it. */
async function readKeys(
  { db, dialect }: DbContext,
  rows: AliasableExpression<{ key: number }>,
): Promise<number[]> {
  const { keys } = await db
    .selectFrom(rows.as('found'))
    .select(dialect.aggregateJson(sql.ref('found.key')).as('keys'))
    .executeTakeFirstOrThrow();
  return listsFromJson<{ keys: number[] }>({ keys }).keys;
}

/** Few enough that those of the longest texts, too, hold up nobody. */
const rowsAtOnce = 250;

async function readInParts<C>(
  keys: readonly number[],
  read: (some: readonly number[]) => Promise<C[]>,
): Promise<C[]> {
  const all: C[] = [];
  const yieldTurn = createTurns();
  for (const some of partsOf(keys, rowsAtOnce)) {
    all.push(...(await read(some)));
    await yieldTurn();
  }
  return all;
}

async function readUnchanged(
  at: DbContext,
  positions: readonly number[],
  { as_of }: PastTime,
): Promise<Candidate[]> {
  const rows = at.db
    .selectFrom('memories')
    .select(candidateColumns)
    .where(at.dialect.filter.isIn(sql.ref('memories.position'), positions))
    .where('recorded_from', '<=', as_of);
  return candidatesFromColumns(await selectAsColumns(at, rows).execute());
}

async function readChanged(
  at: DbContext,
  keys: readonly number[],
): Promise<(Candidate & { memory: string })[]> {
  const rows = at.db
    .selectFrom(versionsWithText(at.db).as('memories'))
    .select(candidateColumns)
    .select('memories.memory')
    .where(at.dialect.filter.isIn(sql.ref('memories.key'), keys));
  const [lists] = await selectAsColumns(at, rows, ['memory']).execute();
  if (lists === undefined) return [];
  const { memory: texts } = listsFromJson<{ memory: string[] }>({ memory: lists.memory });
  return candidatesFromColumns([lists]).map((one, index) => ({
    ...one,
    memory: texts[index] ?? '',
  }));
}
