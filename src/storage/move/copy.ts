import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { IndexEntry } from '../dialects/dialect.ts';
import type { At } from '../tables/at.ts';
import { entitiesOf } from '../tables/entity-keys.ts';
import { scopeTokens } from '../tables/search-scope.ts';
import { putMarker, readMarker } from './marker.ts';
import type { Cursor, Enter, MovedRow, MoveReader, MoveWriter } from './sides.ts';
import type { MovedTable } from './tables.ts';

/** Both stores, what is moved between them, and who is told how far it is. */
export type Move = {
  from: MoveReader;
  to: MoveWriter;
  tables: readonly MovedTable[];
  /** Columns of each table. */
  columns: ReadonlyMap<string, readonly string[]>;
  /** Whether texts must do without a character that PostgreSQL has no place for. */
  isPlain: boolean;
  /** Which store this is, for a move that goes on later. */
  of: string;
  /** Which process this is. */
  by: string;
  onProgress: (progress: MoveProgress) => void;
};

/** `rows` of this table have passed, in this phase. */
export type MoveProgress = {
  phase: 'copied' | 'compared' | 'renewed';
  table: string;
  rows: number;
};

/** Copies the rest of all tables; with each batch the target notes how far it is. */
export async function copyAll(move: Move, from: { table: string; cursor: Cursor | null } | null) {
  const start = from === null ? 0 : move.tables.findIndex(({ name }) => name === from.table);
  for (const table of move.tables.slice(Math.max(start, 0))) {
    const after = from?.table === table.name ? from.cursor : null;
    await copyTable(move, table, { after, phase: 'copied' });
  }
}

/** The rows behind a place, or of some projects, which must not be there yet. */
export async function copyTable(
  move: Move,
  table: MovedTable,
  {
    phase,
    after = null,
    projects,
    replace = false,
  }: {
    phase: MoveProgress['phase'];
    after?: Cursor | null;
    projects?: ReadonlySet<number>;
    replace?: boolean;
  },
): Promise<void> {
  const columns = columnsOf(move, table);
  let count = 0;
  for await (const { rows, cursor } of move.from.walk(table, {
    columns,
    after,
    ...(projects !== undefined && { projects }),
  })) {
    await inTurn(move, async (enter) => {
      const at = phase === 'copied' ? { table: table.name, cursor } : null;
      await putMarker((await enter(null)).db, { of: move.of, by: move.by, at });
      for (const [project, own] of byProject(rows)) {
        const place = { move, table, columns, replace, project };
        await write(await enter(project), place, move.isPlain ? own.map(toPlain) : own);
      }
    });
    count += rows.length;
    move.onProgress({ phase, table: table.name, rows: count });
  }
}

/** A transaction on the target, unless another process has taken the move over. */
export function inTurn({ to, by }: Move, run: (enter: Enter) => Promise<void>): Promise<void> {
  return to.transaction(async (enter) => {
    const marker = await readMarker((await enter(null)).db);
    if (marker?.by !== by) {
      throw new ApiError('conflict', `another process goes on with the move to ${to.reader.shown}`);
    }
    await run(enter);
  });
}

export function columnsOf({ columns }: Pick<Move, 'columns'>, { name }: MovedTable) {
  return columns.get(name) ?? [];
}

function byProject(rows: readonly MovedRow[]): Map<number | null, MovedRow[]> {
  const projects = new Map<number | null, MovedRow[]>();
  for (const row of rows) {
    const key = projectOf(row);
    const own = projects.get(key);
    if (own === undefined) projects.set(key, [row]);
    else own.push(row);
  }
  return projects;
}

/** Null for what is no project's. */
export function projectOf({ project_key }: MovedRow): number | null {
  return typeof project_key === 'number' ? project_key : null;
}

/** What the store at the other end puts in its place when it is written there. */
export function toPlain(row: MovedRow): MovedRow {
  const hasNul = Object.values(row).some((value) => typeof value === 'string' && has(value));
  if (!hasNul) return row;
  const plain = Object.entries(row).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value];
  });
  return Object.fromEntries(plain);
}

function has(text: string): boolean {
  return text.includes('\0');
}

type Place = {
  move: Move;
  table: MovedTable;
  columns: readonly string[];
  replace: boolean;
  project: number | null;
};

async function write(
  at: At,
  { move, table, columns, replace, project }: Place,
  rows: readonly MovedRow[],
): Promise<void> {
  if (table.name === 'vectors') return putVectors(at, project ?? 0, rows);
  await move.to.insert(at, { table, columns, rows, replace });
  if (table.name === 'memories') await putTerms(at, project ?? 0, rows);
}

async function putVectors(at: At, key: number, rows: readonly MovedRow[]): Promise<void> {
  const spaces = new Map<number, { position: number; vector: Float32Array }[]>();
  for (const { space_key, position, vector } of rows) {
    if (!(vector instanceof Float32Array)) throw new Error('a vector is not one');
    const space = Number(space_key);
    const entries = spaces.get(space) ?? [];
    entries.push({ position: Number(position), vector });
    spaces.set(space, entries);
  }
  for (const [space, entries] of spaces) {
    await at.dialect.vectors.put(at.db, { project: { key }, space, entries });
  }
}

type MemoryRow = EntityIds & { position: number; terms: string; speaker_terms: string };

/** The index of words, which each engine keeps in its own way. */
async function putTerms(at: At, key: number, rows: readonly MovedRow[]): Promise<void> {
  const memories = rows as (MovedRow & MemoryRow)[]; // as the columns of the table are
  const keys = await entityKeys(at, key, memories);
  const entries = memories.map((memory): IndexEntry => {
    const { position, terms, speaker_terms } = memory;
    const own = entitiesOf(memory).flatMap(({ type, id }) => keys.get(`${type} ${id}`) ?? []);
    const scope = scopeTokens({ key }, own);
    return { position, scope, terms, speaker_terms };
  });
  await at.dialect.index.insert(at, entries);
}

async function entityKeys(
  { db, dialect }: At,
  project: number,
  memories: readonly EntityIds[],
): Promise<Map<string, number>> {
  const ids = new Set(memories.flatMap((memory) => entitiesOf(memory).map(({ id }) => id)));
  const rows = await db
    .selectFrom('entities')
    .select(['type', 'id', 'key'])
    .where('project_key', '=', project)
    .where(dialect.filter.isIn(sql.ref('entities.id'), [...ids]))
    .execute();
  return new Map(rows.map(({ type, id, key }) => [`${type} ${id}`, key]));
}
