import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RunPlace } from '../../../core/ports/index.ts';
import { createTurns } from '../../../turns.ts';
import type {
  Database,
  DbSession,
  SqlColumn,
  TextIndex,
  TextIndexEntry,
  TextIndexQuery,
} from '../../sql/dialect.ts';
import { prepareStatement, type StatementParameters } from '../../sql/prepared.ts';
import type { DatabaseSchema } from '../../sql/schema.ts';

/**
 * FTS5 without a copy of the text. The owners are in a column of their own that is part of the
 * match, so that a search costs what its scope costs, however large the table is.
 */
export const sqliteTextIndex: TextIndex = {
  insert,
  replace,
  delete: deleteEntries,
  count: countEntries,
  search: searchIndex,
};

type Fts5Database = Kysely<DatabaseSchema & { memory_fts: Fts5Row }>;
type Fts5Row = {
  rowid: number;
  scope: string;
  terms: string;
  speaker: string;
};

async function insert(session: DbSession, entries: readonly TextIndexEntry[]): Promise<void> {
  const yieldTurn = createTurns();
  for (const entry of entries) {
    await yieldTurn();
    await insertRow(session, toFts5Row(entry));
  }
}

const insertRow = prepareStatement((db, value: StatementParameters<ReturnType<typeof toFts5Row>>) =>
  withFts5(db)
    .insertInto('memory_fts')
    .values({
      rowid: value('rowid'),
      scope: value('scope'),
      terms: value('terms'),
      speaker: value('speaker'),
    }),
);

async function replace(db: Database, entry: TextIndexEntry): Promise<void> {
  const { rowid, ...columns } = toFts5Row(entry);
  await withFts5(db).updateTable('memory_fts').set(columns).where('rowid', '=', rowid).execute();
}

async function deleteEntries(db: Database, positions: readonly number[]): Promise<void> {
  await sql`delete from memory_fts
    where rowid in (select value from json_each(${JSON.stringify(positions)}))`.execute(db);
}

/** An index without content has one row of sizes for each entry. */
async function countEntries(db: Database, positions: readonly number[]): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from memory_fts_docsize
    where id in (select value from json_each(${JSON.stringify(positions)}))`.execute(db);
  return rows[0]?.total ?? 0;
}

/** FTS5 reads the memories of one word much faster than it ranks those of several. */
async function searchIndex(session: DbSession, matches: readonly TextIndexQuery[], limit: number) {
  const queries = matches.map(toFts5Query);
  const possible = queries.filter((match) => match !== null);
  const rows = await findPositions(session, { matches: JSON.stringify(possible), limit });
  const results = rows.values();
  return queries.map((match): number[] => {
    const positions = match === null ? null : results.next().value?.positions;
    // As one text: a row for each would cost more than finding it.
    return positions ? JSON.parse(`[${positions}]`) : [];
  });
}

const findPositions = prepareStatement(
  (db, value: StatementParameters<{ matches: string; limit: number }>) =>
    db
      .selectFrom(sql<{ key: number; value: string }>`json_each(${value('matches')})`.as('asked'))
      .select((eb) =>
        eb
          .selectFrom(
            withFts5(db)
              .selectFrom('memory_fts')
              .select('rowid')
              .where(sql<boolean>`memory_fts match asked.value`)
              .orderBy('rowid', 'desc')
              .limit(value('limit'))
              .as('newest'),
          )
          .select(sql<string | null>`group_concat(newest.rowid)`.as('positions'))
          .as('positions'),
      )
      .orderBy('asked.key'),
);

/** Null if nothing can match. */
function toFts5Query({ scope, terms }: TextIndexQuery): string | null {
  const groups = terms.map((group) => group.filter(isTerm));
  if (groups.some((group) => group.length === 0)) return null;
  const words = groups.map((group) => `{terms speaker} : (${orQuery(group)})`);
  // FTS5 iterates over the first phrase and looks up the others: most memories match the scope.
  const owned = scope.length === 0 ? [] : [scopeQuery(scope)];
  return [...words.toReversed(), ...owned].join(' AND ');
}

/** Passed as one JSON parameter of any size. */
export function sqliteRunPlacesTable(places: string): RawBuilder<RunPlace> {
  return sql`(
    select json_extract(value, '$.run_id') as run_id, json_extract(value, '$.run_position') as run_position
    from json_each(${places})
  )`;
}

export function sqlitePositionsTable(positions: string): RawBuilder<{ position: number }> {
  return sql`(select value as position from json_each(${positions}))`;
}

export function sqliteAggregateLines(column: SqlColumn): RawBuilder<string | null> {
  return sql`group_concat(${column}, char(10))`;
}

export function sqliteAggregateJson(column: SqlColumn): RawBuilder<string | null> {
  return sql`json_group_array(${column})`;
}

function withFts5(db: Database): Fts5Database {
  return db.withTables<{ memory_fts: Fts5Row }>();
}

function toFts5Row({ position, scope, terms, speaker_terms }: TextIndexEntry) {
  return { rowid: position, scope: scope.join(' '), terms, speaker: speaker_terms };
}

/** A word for the tokenizer; other texts cannot be stored as a term. */
function isTerm(term: string): boolean {
  return /^[a-z0-9\u0080-\u{10ffff}]+$/iu.test(term) && term.isWellFormed();
}

function scopeQuery(groups: TextIndexQuery['scope']): string {
  const scope = groups.map((tokens) => `(${orQuery(tokens)})`).join(' AND ');
  return `scope : (${scope})`;
}

function orQuery(tokens: readonly string[]): string {
  return [...new Set(tokens)].map((token) => `"${token}"`).join(' OR ');
}
