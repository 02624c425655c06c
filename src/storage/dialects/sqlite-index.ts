import { type ColumnType, type Kysely, type RawBuilder, sql } from 'kysely';
import type { RunPlace } from '../../core/ports.ts';
import { prepared, type Values } from '../prepared.ts';
import type { Schema } from '../schema.ts';
import { candidateColumns } from '../tables/memory-row.ts';
import type { Database, IndexEntry, IndexQuery, Session, TextIndex } from './dialect.ts';

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
  rank: ColumnType<number, never, never>;
};

/** In full detail: without a copy of the text, less of it would leave `rank` nothing to count. */
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

/** Who said it counts somewhat more than what was said; whose it is does not count. */
const weights = 'bm25(0.0, 1.0, 1.5)';

async function find({ db, run }: Session, query: IndexQuery) {
  const terms = query.terms.filter(isTerm);
  if (terms.length === 0) return [];
  const match = `${matchScope(query.scope)} AND {terms speaker} : (${anyOf(terms)})`;
  const found = indexed(db)
    .selectFrom('memory_index')
    // A cross join keeps the order of the tables: the match first, then its rows.
    .crossJoin('memories')
    .select(candidateColumns)
    .where(sql<boolean>`memory_index match ${match}`)
    .where(sql<boolean>`rank match ${weights}`)
    .whereRef('memories.position', '=', 'memory_index.rowid')
    .where('memories.project_key', '=', query.project.key)
    .where(query.where)
    .orderBy('memory_index.rank')
    .limit(query.limit);
  return run(found.compile());
}

/** Travels as one JSON parameter, however many there are. */
export function placesTable(places: readonly RunPlace[]): RawBuilder<RunPlace> {
  return sql`(
    select json_extract(value, '$.run_id') as run_id, json_extract(value, '$.place') as place
    from json_each(${JSON.stringify(places)})
  )`;
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

function matchScope(groups: IndexQuery['scope']): string {
  const scope = groups.map((tokens) => `(${anyOf(tokens)})`).join(' AND ');
  return `scope : (${scope})`;
}

function anyOf(tokens: readonly string[]): string {
  return [...new Set(tokens)].map((token) => `"${token}"`).join(' OR ');
}
