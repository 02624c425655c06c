import { sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { EntityIds } from '../../contract/schemas/entity.ts';
import type { DbContext } from '../sql/db-context.ts';
import type { TextIndexEntry } from '../sql/dialect.ts';
import { entityRefsOf } from '../tables/entities/entity-keys.ts';
import { scopeTokens } from '../tables/search/scope-tokens.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import type {
  EnterProject,
  ScanCursor,
  TransferReader,
  TransferRow,
  TransferWriter,
} from './endpoints.ts';
import type { TransferTable } from './tables.ts';

/** Both stores, what is moved between them, and who is told of the progress. */
export type StoreTransfer = {
  from: TransferReader;
  to: TransferWriter;
  tables: readonly TransferTable[];
  /** Whether to replace a character that PostgreSQL text cannot contain. */
  replacesNul: boolean;
  /** Identifies the source, for a move that is resumed later. */
  sourceId: string;
  /** Identifies this process. */
  ownerId: string;
  onProgress: (progress: TransferProgress) => void;
};

/** `rows` rows of this table are done in this phase. */
export type TransferProgress = {
  phase: 'copied' | 'compared' | 'renewed';
  table: string;
  rows: number;
};

/** Copies the rest of all tables; the target records the progress with each batch. */
export async function copyAll(
  move: StoreTransfer,
  from: { table: string; cursor: ScanCursor | null } | null,
) {
  const start = from === null ? 0 : move.tables.findIndex(({ name }) => name === from.table);
  for (const table of move.tables.slice(Math.max(start, 0))) {
    const after = from?.table === table.name ? from.cursor : null;
    await copyTable(move, table, { after, phase: 'copied' });
  }
}

/** Copies the rows after a cursor, or of some projects, which must not exist in the target. */
export async function copyTable(
  move: StoreTransfer,
  table: TransferTable,
  {
    phase,
    after = null,
    projects,
    replace = false,
  }: {
    phase: TransferProgress['phase'];
    after?: ScanCursor | null;
    projects?: ReadonlySet<number>;
    replace?: boolean;
  },
): Promise<void> {
  const { columns } = table;
  let count = 0;
  for await (const { rows, cursor } of move.from.scan(table, {
    columns,
    after,
    ...(projects !== undefined && { projects }),
  })) {
    await inOwnedTransaction(move, async (enter) => {
      const at = phase === 'copied' ? { table: table.name, cursor } : null;
      await writeCheckpoint((await enter(null)).db, { of: move.sourceId, by: move.ownerId, at });
      for (const [project, own] of groupByProject(rows)) {
        const place = { move, table, columns, replace, project };
        await writeRows(await enter(project), place, move.replacesNul ? own.map(replaceNul) : own);
      }
    });
    count += rows.length;
    move.onProgress({ phase, table: table.name, rows: count });
  }
}

/** A transaction on the target; fails if another process has taken over the move. */
export function inOwnedTransaction(
  { to, ownerId }: StoreTransfer,
  run: (enter: EnterProject) => Promise<void>,
): Promise<void> {
  return to.transaction(async (enter) => {
    const marker = await readCheckpoint((await enter(null)).db);
    if (marker?.by !== ownerId) {
      throw new ApiError('conflict', `another process resumed the move to ${to.reader.shown}`);
    }
    await run(enter);
  });
}

function groupByProject(rows: readonly TransferRow[]): Map<number | null, TransferRow[]> {
  const projects = new Map<number | null, TransferRow[]>();
  for (const row of rows) {
    const key = projectKeyOf(row);
    const own = projects.get(key);
    if (own === undefined) projects.set(key, [row]);
    else own.push(row);
  }
  return projects;
}

/** Null for rows that belong to no project. */
export function projectKeyOf({ project_key }: TransferRow): number | null {
  return typeof project_key === 'number' ? project_key : null;
}

/** Replaces the character as the store at the other end does. */
export function replaceNul(row: TransferRow): TransferRow {
  const hasNul = Object.values(row).some(
    (value) => typeof value === 'string' && containsNul(value),
  );
  if (!hasNul) return row;
  const plain = Object.entries(row).map(([name, value]) => {
    return [name, typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value];
  });
  return Object.fromEntries(plain);
}

function containsNul(text: string): boolean {
  return text.includes('\0');
}

type CopyTarget = {
  move: StoreTransfer;
  table: TransferTable;
  columns: readonly string[];
  replace: boolean;
  project: number | null;
};

async function writeRows(
  at: DbContext,
  { move, table, columns, replace, project }: CopyTarget,
  rows: readonly TransferRow[],
): Promise<void> {
  if (table.name === 'vectors') return writeVectors(at, project ?? 0, rows);
  await move.to.insert(at, { table, columns, rows, replace });
  if (table.name === 'memories') await indexTerms(at, project ?? 0, rows);
}

async function writeVectors(
  at: DbContext,
  key: number,
  rows: readonly TransferRow[],
): Promise<void> {
  const byModel = new Map<number, { position: number; vector: Float32Array }[]>();
  for (const { position, vector, ...row } of rows) {
    if (!(vector instanceof Float32Array)) throw new Error('a vector is not a Float32Array');
    const model_key = Number(row.model_key);
    const entries = byModel.get(model_key) ?? [];
    entries.push({ position: Number(position), vector });
    byModel.set(model_key, entries);
  }
  for (const [model_key, entries] of byModel) {
    await at.dialect.vectorIndex.put(at.db, { project: { key }, model_key, entries });
  }
}

type IndexedMemoryRow = EntityIds & { position: number; terms: string; speaker_terms: string };

/** Fills the word index, which each engine keeps in its own way. */
async function indexTerms(at: DbContext, key: number, rows: readonly TransferRow[]): Promise<void> {
  const memories = rows as (TransferRow & IndexedMemoryRow)[]; // by its columns
  const keys = await readEntityKeys(at, key, memories);
  const entries = memories.map((memory): TextIndexEntry => {
    const { position, terms, speaker_terms } = memory;
    const own = entityRefsOf(memory).flatMap(({ type, id }) => keys.get(`${type} ${id}`) ?? []);
    const scope = scopeTokens({ key }, own);
    return { position, scope, terms, speaker_terms };
  });
  await at.dialect.textIndex.insert(at, entries);
}

async function readEntityKeys(
  { db, dialect }: DbContext,
  project: number,
  memories: readonly EntityIds[],
): Promise<Map<string, number>> {
  const ids = new Set(memories.flatMap((memory) => entityRefsOf(memory).map(({ id }) => id)));
  const rows = await db
    .selectFrom('entities')
    .select(['type', 'id', 'key'])
    .where('project_key', '=', project)
    .where(dialect.filter.isIn(sql.ref('entities.id'), [...ids]))
    .execute();
  return new Map(rows.map(({ type, id, key }) => [`${type} ${id}`, key]));
}
