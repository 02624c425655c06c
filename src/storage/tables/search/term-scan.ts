import { sql } from 'kysely';
import type { EntityIds } from '../../../contract/schemas/entity.ts';
import type { StrictOmit } from '../../../contract/strict-omit.ts';
import { inverseDocumentFrequency } from '../../../core/bm25.ts';
import type { ProjectRef, QueryTerm, Selection } from '../../../core/ports/index.ts';
import { createTurns } from '../../../turns.ts';
import type { DbContext } from '../../sql/db-context.ts';
import type { SqlDialect } from '../../sql/dialect.ts';
import { fromJson } from '../../sql/json.ts';
import type { Postings } from './postings.ts';
import { prepareForSelection } from './selection-statement.ts';
import { wholeWordOffset } from './whole-word.ts';

/**
 * Up to this many memories, the terms are read and scanned in about a microsecond each. The word
 * index also visits all other memories with each term, which costs more from a few tens of
 * thousands of memories on.
 */
export const termScanMax = 3000;

type TermScanQuery = {
  selection: Selection;
  terms: readonly QueryTerm[];
  by?: keyof EntityIds | undefined;
  /** The only positions that may be in the selection, if known. */
  among?: readonly number[];
};

/** Finds which memories of a small selection contain which of the terms. */
export async function scanTerms(
  at: DbContext,
  project: ProjectRef,
  { terms, ...query }: TermScanQuery,
): Promise<Postings[]> {
  const { positions, text } = await readTexts(at, project, query);
  const lines = { text, starts: lineStarts(text) };
  const size = positions.length;
  const postings: Postings[] = [];
  const yieldTurn = createTurns();
  for (const term of terms) {
    await yieldTurn();
    const holders = linesWithAny(term, lines).map((line) => positions[line] ?? 0);
    const weight = inverseDocumentFrequency(holders.length, size);
    postings.push({ term, weight, positions: holders });
  }
  return postings;
}

type TextLines = { text: string; starts: readonly number[] };

function linesWithAny(term: QueryTerm, lines: TextLines): number[] {
  const [only = '', ...more] = term;
  if (more.length === 0) return linesWith(only.toLowerCase(), lines);
  return [...new Set(term.flatMap((form) => linesWith(form.toLowerCase(), lines)))];
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The numbers of the lines with the whole word: scanning line by line would be slower. */
function linesWith(word: string, { text, starts }: TextLines): number[] {
  if (word === '') return [];
  const lines: number[] = [];
  let line = 0;
  for (let at = wholeWordOffset(text, word, 0); at >= 0; ) {
    while ((starts[line + 1] ?? text.length) <= at) line += 1;
    lines.push(line);
    // One match per line is enough.
    at = wholeWordOffset(text, word, starts[line + 1] ?? text.length);
  }
  return lines;
}

type ScannedTexts = { positions: string | null; texts: string | null };

async function readTexts(
  at: DbContext,
  project: ProjectRef,
  { selection, by, among }: StrictOmit<TermScanQuery, 'terms'>,
): Promise<{ positions: number[]; text: string }> {
  const selected = { project, selection, narrowBy: by };
  const [row] =
    among === undefined
      ? await readSelectedTexts(at, selected, {})
      : await readTextsAmong(at, selected, { positions: JSON.stringify(among) });
  const positions = fromJson<number[]>(row?.positions ?? '[]');
  return { positions, text: row?.texts?.toLowerCase() ?? '' };
}

const readSelectedTexts = prepareForSelection<object, ScannedTexts>(({ db, dialect, where }) =>
  db.selectFrom('memories').where(where).select(scannedColumns(dialect)),
);

const readTextsAmong = prepareForSelection<{ positions: string }, ScannedTexts>(
  ({ db, dialect, where }, value) =>
    db
      .selectFrom(dialect.positionsTable(value('positions')).as('wanted'))
      .crossJoin('memories')
      .whereRef('memories.position', '=', 'wanted.position')
      .where(where)
      .select(scannedColumns(dialect)),
);

function scannedColumns(dialect: SqlDialect) {
  return [
    dialect.aggregateJson(sql.ref('memories.position')).as('positions'),
    dialect.aggregateLines(sql`(terms || ' ' || speaker_terms)`).as('texts'),
  ] as const;
}
