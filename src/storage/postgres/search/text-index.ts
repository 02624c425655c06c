import { createHash } from 'node:crypto';
import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { RunPlace } from '../../../core/ports/index.ts';
import type {
  Database,
  DbSession,
  SqlColumn,
  TextIndex,
  TextIndexEntry,
  TextIndexQuery,
} from '../../sql/dialect.ts';
import { prepareSend, prepareStatement, type StatementParameters } from '../../sql/prepared.ts';

/**
 * The terms of each memory as a `tsvector` with a GIN index. The owners are among the terms, so
 * that a search costs what its scope costs. The index is read through a function that sees the
 * current project only, because row policies would keep PostgreSQL from using it.
 */
export const postgresTextIndex: TextIndex = {
  insert: async (session, entries) => {
    if (entries.length > 0) await putEntries(session, { rows: rowsOf(entries) });
  },
  replace: async (db, entry) => {
    await db.executeQuery(putEntriesSql(db, rowsOf([entry])));
  },
  delete: deleteEntries,
  count: async (db, positions) => {
    const { rows } = await sql<{ total: number }>`select count(*) as total from memory_fts
      where position = any(${positions}::bigint[])`.execute(db);
    return Number(rows[0]?.total ?? 0);
  },
  search: searchIndex,
};

const putEntries = prepareSend((db, value: StatementParameters<{ rows: string }>) => ({
  compile: () => putEntriesSql(db, value('rows')),
}));

/** The column's default is the current project. */
function putEntriesSql(db: Database, rows: string): CompiledQuery {
  return sql`insert into memory_fts (position, tokens)
    select (entry ->> 'position')::bigint,
      array_to_tsvector(array(select jsonb_array_elements_text(entry -> 'tokens')))
    from jsonb_array_elements(${rows}::jsonb) as entry
    on conflict (project_key, position) do update set tokens = excluded.tokens`.compile(db);
}

function rowsOf(entries: readonly TextIndexEntry[]): string {
  return JSON.stringify(entries.map(toTokenRow));
}

async function deleteEntries(db: Database, positions: readonly number[]): Promise<void> {
  await sql`delete from memory_fts where position = any(${positions}::bigint[])`.execute(db);
}

async function searchIndex(
  session: DbSession,
  matches: readonly TextIndexQuery[],
  limit: number,
): Promise<number[][]> {
  const queries = matches.map(toTsquery);
  const possible = queries.filter((query) => query !== null);
  const results = (await findPositions(session, { possible, limit })).values();
  return queries.map((query): number[] => {
    const positions = query === null ? null : results.next().value?.positions;
    return positions ? JSON.parse(`[${positions}]`) : [];
  });
}

/** Returned as one text: a row for each would cost more than finding it. */
const findPositions = prepareStatement(
  (db, value: StatementParameters<{ possible: string[]; limit: number }>) => ({
    compile: () =>
      sql<{ positions: string }>`
      select array_to_string(positions, ',') as positions
      from find_positions(${value('possible')}::text[], ${value('limit')}::bigint)`.compile(db),
  }),
);

/** Null if nothing can match. */
function toTsquery({ scope, terms }: TextIndexQuery): string | null {
  const words = terms.map((group) => group.filter(isTerm).map(toTermToken));
  const owners = scope
    .filter((group) => !group.some(isProjectToken))
    .map((group) => group.map(toScopeToken));
  const groups = [...words, ...owners];
  if (groups.some((group) => group.length === 0)) return null;
  return groups.map((group) => `(${group.map((token) => `'${token}'`).join(' | ')})`).join(' & ');
}

function toTokenRow({ position, scope, terms, speaker_terms }: TextIndexEntry) {
  const words = `${terms} ${speaker_terms}`.split(' ').filter((word) => word !== '');
  const owners = scope.filter((token) => !isProjectToken(token)).map(toScopeToken);
  return { position, tokens: [...new Set([...words.map(toTermToken), ...owners])] };
}

/** The project is a column of its own. */
function isProjectToken(token: string): boolean {
  return token.startsWith('p');
}

/** No term begins with this prefix. */
function toScopeToken(token: string): string {
  return `#${token}`;
}

/** A tsvector cannot hold longer tokens; no word is that long. */
const tokenMaxChars = 200;

function toTermToken(term: string): string {
  const lower = term.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()).toWellFormed();
  if (lower.length <= tokenMaxChars) return lower;
  return createHash('sha256').update(lower).digest('hex');
}

/** Anything else cannot be stored as a term. */
function isTerm(term: string): boolean {
  return /^[a-z0-9\u0080-\u{10ffff}]+$/iu.test(term) && term.isWellFormed();
}

/**
 * Passed as one JSON parameter of any size. The columns are built here, not in conditions: under
 * row policies, an index is used only for conditions whose functions are leakproof, and JSON
 * functions are not.
 */
export function postgresRunPlacesTable(places: string): RawBuilder<RunPlace> {
  return sql`(
    select run_id, run_position
    from jsonb_to_recordset(${places}::jsonb) as value (run_id text collate "C", run_position integer)
  )`;
}

export function postgresAggregateLines(column: SqlColumn): RawBuilder<string | null> {
  return sql`string_agg(${column}::text, chr(10))`;
}

/** As text, because the driver would parse JSON. */
export function postgresAggregateJson(column: SqlColumn): RawBuilder<string | null> {
  return sql`json_agg(${column})::text`;
}

/** A JSON list of numbers as an array, for the same reason as the places. */
export function postgresPositionsTable(positions: string): RawBuilder<{ position: number }> {
  return sql`(
    select position from unnest(translate(${positions}, '[]', '{}')::bigint[]) as value (position)
  )`;
}
