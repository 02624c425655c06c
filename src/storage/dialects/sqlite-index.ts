import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { RunPlace } from '../../core/ports/index.ts';
import { prepared, type Values } from '../prepared.ts';
import type { Schema } from '../schema.ts';
import type { Column, Database, IndexEntry, IndexMatch, Session, TextIndex } from './dialect.ts';

/**
 * FTS5 without a copy of the text. Whose a memory is stands in a column of its own and is part of
 * the match, so that a search costs what its scope costs, however large the table is.
 */
export const textIndex: TextIndex = { create, insert, replace, delete: remove, find };

type Indexed = Kysely<Schema & { memory_index: IndexRow }>;
type IndexRow = {
  rowid: number;
  scope: string;
  terms: string;
  speaker: string;
};

async function create(db: Database): Promise<void> {
  await sql`create virtual table memory_index using fts5(
    scope, terms, speaker,
    content = '', contentless_delete = 1, tokenize = 'ascii'
  )`.execute(db);
}

async function insert(session: Session, entries: readonly IndexEntry[]): Promise<void> {
  for (const entry of entries) await insertRow(session, toRow(entry));
}

const insertRow = prepared((db, value: Values<ReturnType<typeof toRow>>) =>
  indexed(db)
    .insertInto('memory_index')
    .values({
      rowid: value('rowid'),
      scope: value('scope'),
      terms: value('terms'),
      speaker: value('speaker'),
    }),
);

async function replace(db: Database, entry: IndexEntry): Promise<void> {
  const { rowid, ...columns } = toRow(entry);
  await indexed(db).updateTable('memory_index').set(columns).where('rowid', '=', rowid).execute();
}

async function remove(db: Database, positions: readonly number[]): Promise<void> {
  await sql`delete from memory_index
    where rowid in (select value from json_each(${JSON.stringify(positions)}))`.execute(db);
}

/** FTS5 reads one word's memories much faster than it ranks those of several. */
async function find(session: Session, matches: readonly IndexMatch[], limit: number) {
  const asked = matches.map(toMatch);
  const possible = asked.filter((match) => match !== null);
  const rows = await findPositions(session, { matches: JSON.stringify(possible), limit });
  const found = rows.values();
  return asked.map((match): number[] => {
    const positions = match === null ? null : found.next().value?.positions;
    // As one text: a row for each would cost more than finding it.
    return positions ? JSON.parse(`[${positions}]`) : [];
  });
}

const findPositions = prepared((db, value: Values<{ matches: string; limit: number }>) =>
  db
    .selectFrom(sql<{ key: number; value: string }>`json_each(${value('matches')})`.as('asked'))
    .select((eb) =>
      eb
        .selectFrom(
          indexed(db)
            .selectFrom('memory_index')
            .select('rowid')
            .where(sql<boolean>`memory_index match asked.value`)
            .orderBy('rowid', 'desc')
            .limit(value('limit'))
            .as('newest'),
        )
        .select(sql<string | null>`group_concat(newest.rowid)`.as('positions'))
        .as('positions'),
    )
    .orderBy('asked.key'),
);

/** Null for what nothing can match. */
function toMatch({ scope, terms }: IndexMatch): string | null {
  const groups = terms.map((group) => group.filter(isTerm));
  if (groups.some((group) => group.length === 0)) return null;
  const words = groups.map((group) => `{terms speaker} : (${anyOf(group)})`);
  // FTS5 steps through the first and looks the others up: the scope is what most memories hold.
  const owned = scope.length === 0 ? [] : [matchScope(scope)];
  return [...words.toReversed(), ...owned].join(' AND ');
}

/** Travels as one JSON parameter, however many there are. */
export function placesTable(places: string): RawBuilder<RunPlace> {
  return sql`(
    select json_extract(value, '$.run_id') as run_id, json_extract(value, '$.place') as place
    from json_each(${places})
  )`;
}

export function positionsTable(positions: string): RawBuilder<{ position: number }> {
  return sql`(select value as position from json_each(${positions}))`;
}

export function linesOf(column: Column): RawBuilder<string | null> {
  return sql`group_concat(${column}, char(10))`;
}

export function listOf(column: Column): RawBuilder<string | null> {
  return sql`json_group_array(${column})`;
}

function indexed(db: Database): Indexed {
  return db.withTables<{ memory_index: IndexRow }>();
}

function toRow({ position, scope, terms, speaker_terms }: IndexEntry) {
  return { rowid: position, scope: scope.join(' '), terms, speaker: speaker_terms };
}

/** What the tokenizer takes as one word; anything else could not have been stored as a term. */
function isTerm(term: string): boolean {
  return /^[a-z0-9\u0080-\u{10ffff}]+$/iu.test(term) && term.isWellFormed();
}

function matchScope(groups: IndexMatch['scope']): string {
  const scope = groups.map((tokens) => `(${anyOf(tokens)})`).join(' AND ');
  return `scope : (${scope})`;
}

function anyOf(tokens: readonly string[]): string {
  return [...new Set(tokens)].map((token) => `"${token}"`).join(' OR ');
}
