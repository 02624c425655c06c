import { existsSync, statSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { Database, DbSession } from '../sql/dialect.ts';
import { decodeVector } from '../sql/vector-codec.ts';
import { createSqliteSession } from '../sqlite/connection.ts';
import { loadSqlite, type SqliteDatabase } from '../sqlite/driver.ts';
import { translateSqliteError } from '../sqlite/errors.ts';
import { checkFile, readState } from '../sqlite/file.ts';
import { openReadOnly } from '../sqlite/inspect.ts';
import { afterCursorSql, columnListSql, isTransferredSql, readInBatches } from './batches.ts';
import type { TransferReader, TransferRow } from './endpoints.ts';
import { checkSourceSchema } from './source-schema.ts';
import type { TransferTable } from './tables.ts';

/** Opens a store's file for reading, without changing a byte or creating a file beside it. */
export async function openSqliteTransferReader(path: string): Promise<TransferReader> {
  if (!existsSync(path)) throw new ApiError('not_found', `${path} does not exist`);
  const open = await loadSqlite();
  let opened: OpenedSource | null = null;
  const current = (): OpenedSource => {
    if (opened === null) throw new Error('nothing has been looked at yet');
    return opened;
  };
  const close = () => {
    opened?.sqlite.close();
    opened = null;
  };
  const refresh = async () => {
    close();
    try {
      checkFile(path, open);
      const state = readSourceState(path);
      const sqlite = openReadOnly(open, path);
      opened = { sqlite, state, session: createTransferSession(sqlite, path) };
      checkSourceSchema({ version: readState(sqlite).version, shown: path });
      // With a log, readers keep the state that they saw first.
      sqlite.exec('begin; select 1 from sqlite_schema');
    } catch (error) {
      throw translateSqliteError(error, path);
    }
  };
  await refresh();
  return {
    ...createReaderMethods(() => current().session.db, path),
    refresh,
    isConsistent: () =>
      current().state.hasLog || isSameState(current().state, readSourceState(path)),
    isInUse: async () => readSourceState(path).hasLog,
    close: async () => close(),
  };
}

type OpenedSource = { sqlite: SqliteDatabase; state: SourceFileState; session: DbSession };
type SourceFileState = { hasLog: boolean; id: string };

/** Without a log, nothing is locked, and changes show up in the file's attributes. */
function readSourceState(path: string): SourceFileState {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return { hasLog: existsSync(`${path}-wal`), id: `${ino} ${size} ${mtimeNs}` };
}

function isSameState(one: SourceFileState, other: SourceFileState): boolean {
  return one.hasLog === other.hasLog && one.id === other.id;
}

export function createTransferSession(sqlite: SqliteDatabase, path: string): DbSession {
  return createSqliteSession({ sqlite, path, busy_timeout_ms, within: null });
}

export const busy_timeout_ms = 5_000;

type SqliteReaderMethods = Pick<TransferReader, 'shown' | 'hasVectors' | 'scan' | 'readSequence'>;

export function createReaderMethods(db: () => Database, path: string): SqliteReaderMethods {
  return {
    shown: path,
    hasVectors: true,
    scan: (table, { columns, after = null, projects }) => {
      const order = scanOrder(table);
      return readInBatches(order, after, async (at, limit) => {
        const { rows } = await sql<TransferRow>`
          select ${columnListSql(columns)}, ${projectKeySql(table)} as project_key
          from ${sql.table(table.name)}
          where ${afterCursorSql(order, at)} and ${inProjectsSql(table, projects)} and ${isTransferredSql(table)}
          order by ${columnListSql(order)} limit ${limit}`.execute(db());
        return rows.map(toTransferRow);
      });
    },
    readSequence: async ({ name }) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from sqlite_sequence where name = ${name}`.execute(db());
      return rows[0]?.seq ?? 0;
    },
  };
}

/** In the order of an index, across all projects. */
function scanOrder({ name, key, isPerProject }: TransferTable): readonly string[] {
  const isWhole = !isPerProject || (key.length === 1 && isGlobalKey(key[0]));
  return isWhole || name === 'vectors' || name === 'job_steps' ? key : ['project_key', ...key];
}

/** Whether the numbers of a column are counted across all projects. */
function isGlobalKey(column: string | undefined): boolean {
  return column === 'position' || column === 'key';
}

function projectKeySql({ name, isPerProject }: TransferTable): RawBuilder<unknown> {
  if (name === 'job_steps') {
    return sql`(select project_key from jobs where jobs.id = job_steps.job_id)`;
  }
  return isPerProject || name === 'members' ? sql`project_key` : sql`null`;
}

/** The plus prevents an index on the project, whose rows would be sorted for each batch. */
function inProjectsSql(
  table: TransferTable,
  projects: ReadonlySet<number> | undefined,
): RawBuilder<unknown> {
  if (projects === undefined) return sql`true`;
  const keys = JSON.stringify([...projects]);
  return sql`+${projectKeySql(table)} in (select value from json_each(${keys}))`;
}

function toTransferRow(row: TransferRow): TransferRow {
  const vector: unknown = row.vector;
  return vector instanceof Uint8Array ? { ...row, vector: decodeVector(vector) } : row;
}
