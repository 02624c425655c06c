import { existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { type RawBuilder, sql } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import { schemaVersion } from '../migrations/migrate.ts';
import { behind, inBatches, moves, names } from '../move/batches.ts';
import type { Insert, MovedRow, MoveReader, MoveWriter } from '../move/sides.ts';
import { checkSource } from '../move/source.ts';
import type { MovedTable } from '../move/tables.ts';
import type { At } from '../tables/at.ts';
import { decodeVector } from '../vectors/segment.ts';
import type { Database, Session } from './dialect.ts';
import { createDialect, openSqlite } from './sqlite.ts';
import { createSession } from './sqlite-connection.ts';
import { loadSqlite, type SqliteDatabase } from './sqlite-driver.ts';
import { translateError, unavailable } from './sqlite-errors.ts';
import { checkFile, partialOf, readState } from './sqlite-file.ts';
import { registerFunctions } from './sqlite-filter.ts';
import { openUntouched } from './sqlite-inspect.ts';

/** Opens a store's file for reading; not a byte of it is changed, and no file made beside it. */
export async function openSqliteReader(path: string): Promise<MoveReader> {
  if (!existsSync(path)) throw new ApiError('not_found', `${path} does not exist`);
  const open = await loadSqlite();
  let opened: Opened | null = null;
  const current = (): Opened => {
    if (opened === null) throw new Error('nothing has been looked at yet');
    return opened;
  };
  const close = () => {
    opened?.sqlite.close();
    opened = null;
  };
  const look = async () => {
    close();
    try {
      checkFile(path, open, schemaVersion);
      const state = stateOf(path);
      const sqlite = openUntouched(open, path);
      opened = { sqlite, state, session: sessionOf(sqlite, path) };
      checkSource({ version: readState(sqlite).version, shown: path });
      // With a log, readers keep what they saw first.
      sqlite.exec('begin; select 1 from sqlite_schema');
    } catch (error) {
      throw translateError(error, path);
    }
  };
  await look();
  return {
    ...readerOf(() => current().session.db, path),
    look,
    isIntact: () => current().state.hasLog || sameState(current().state, stateOf(path)),
    isInUse: async () => stateOf(path).hasLog,
    close: async () => close(),
  };
}

type Opened = { sqlite: SqliteDatabase; state: State; session: Session };
type State = { hasLog: boolean; id: string };

/** While there is no log, nobody locks, and what the file says of itself tells of changes. */
function stateOf(path: string): State {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return { hasLog: existsSync(`${path}-wal`), id: `${ino} ${size} ${mtimeNs}` };
}

function sameState(one: State, other: State): boolean {
  return one.hasLog === other.hasLog && one.id === other.id;
}

function sessionOf(sqlite: SqliteDatabase, path: string): Session {
  return createSession({ sqlite, path, busy_timeout_ms, within: null });
}

const busy_timeout_ms = 5_000;

type Reading = Pick<MoveReader, 'shown' | 'hasVectors' | 'columnsOf' | 'walk' | 'counterOf'>;

function readerOf(db: () => Database, path: string): Reading {
  return {
    shown: path,
    hasVectors: true,
    columnsOf: async (table) => {
      const { rows } = await sql<{ name: string }>`
        select name from pragma_table_info(${table})`.execute(db());
      return rows.map(({ name }) => name);
    },
    walk: (table, { columns, after = null, projects }) => {
      const order = orderOf(table);
      return inBatches(order, after, async (at, limit) => {
        const { rows } = await sql<MovedRow>`
          select ${names(columns)}, ${projectOf(table)} as project_key
          from ${sql.table(table.name)}
          where ${behind(order, at)} and ${amongProjects(table, projects)} and ${moves(table)}
          order by ${names(order)} limit ${limit}`.execute(db());
        return rows.map(toMoved);
      });
    },
    counterOf: async ({ name }) => {
      const { rows } = await sql<{ seq: number }>`
        select seq from sqlite_sequence where name = ${name}`.execute(db());
      return rows[0]?.seq ?? 0;
    },
  };
}

/** In the order of an index, over all projects at once. */
function orderOf({ name, key, isProjects }: MovedTable): readonly string[] {
  const isWhole = !isProjects || (key.length === 1 && isNumber(key[0]));
  return isWhole || name === 'vectors' || name === 'job_parts' ? key : ['project_key', ...key];
}

function isNumber(column: string | undefined): boolean {
  return column === 'position' || column === 'key';
}

function projectOf({ name, isProjects }: MovedTable): RawBuilder<unknown> {
  if (name === 'job_parts') {
    return sql`(select project_key from jobs where jobs.id = job_parts.job_id)`;
  }
  return isProjects || name === 'members' ? sql`project_key` : sql`null`;
}

/** The plus keeps it from an index of the project, whose rows it would sort for each batch. */
function amongProjects(
  table: MovedTable,
  projects: ReadonlySet<number> | undefined,
): RawBuilder<unknown> {
  if (projects === undefined) return sql`true`;
  const keys = JSON.stringify([...projects]);
  return sql`+${projectOf(table)} in (select value from json_each(${keys}))`;
}

function toMoved(row: MovedRow): MovedRow {
  const vector: unknown = row.vector;
  return vector instanceof Uint8Array ? { ...row, vector: decodeVector(vector).slice() } : row;
}

/** Opens the file that is to become a store. Throws `conflict` when there is one already. */
export async function openSqliteWriter(
  path: string,
  { resume }: { resume: boolean },
): Promise<MoveWriter> {
  const partial = partialOf(path);
  if (existsSync(path)) throw new ApiError('conflict', `${path} exists; choose another name`);
  if (existsSync(partial) && !resume) {
    throw new ApiError('conflict', `${partial} holds a move that has not ended`, {
      next: 'Go on with it with --resume, or remove the file.',
    });
  }
  const options = { path: partial, synchronous: 'normal', busy_timeout_ms, log: () => {} } as const;
  await (await openSqlite(options)).close();
  const sqlite = await openOnce(partial);
  const at: At = { ...sessionOf(sqlite, partial), dialect: createDialect() };
  let isOpen = true;
  const close = async () => {
    if (isOpen) sqlite.close();
    isOpen = false;
  };
  const reader: MoveReader = {
    ...readerOf(() => at.db, path),
    look: async () => {},
    isIntact: () => true,
    isInUse: async () => false,
    close,
  };
  return {
    reader,
    transaction: (run) => inTransaction({ sqlite, path: partial }, () => run(async () => at)),
    insert: insertRows,
    clear,
    setCounter: ({ name }, value) => setCounter(at.db, name, value),
    finish: async () => {
      sqlite.exec('pragma optimize');
      emptyLog(sqlite, partial);
      await close();
      takeName(partial, path);
    },
    close,
  };
}

async function openOnce(path: string): Promise<SqliteDatabase> {
  const open = await loadSqlite();
  try {
    const sqlite = open(path, { timeout: busy_timeout_ms });
    registerFunctions(sqlite);
    sqlite.exec(`pragma synchronous = normal; pragma foreign_keys = on;
      pragma cache_size = -${cacheKibibytes}`);
    return sqlite;
  } catch (error) {
    throw translateError(error, path);
  }
}

/** Indexes are filled in any order: their pages are needed again and again. */
const cacheKibibytes = 64 * 1024;

async function inTransaction(
  { sqlite, path }: { sqlite: SqliteDatabase; path: string },
  run: () => Promise<void>,
): Promise<void> {
  try {
    sqlite.exec('begin immediate');
    try {
      await run();
      sqlite.exec('commit');
    } catch (error) {
      sqlite.exec('rollback');
      throw error;
    }
  } catch (error) {
    throw translateError(error, path);
  }
}

function updateOf({ key }: MovedTable, columns: readonly string[]): string {
  const set = columns.map((name) => `"${name}" = excluded."${name}"`);
  return `on conflict ("${key[0]}") do update set ${set.join(', ')}`;
}

async function insertRows(at: At, { table, columns, rows, replace }: Insert): Promise<void> {
  const names = columns.map((name) => `"${name}"`).join(', ');
  const places = columns.map(() => '?').join(', ');
  const upsert = replace ? updateOf(table, columns) : '';
  const statement = `insert into "${table.name}" (${names}) values (${places}) ${upsert}`;
  const query = sql.raw(statement).compile(at.db);
  for (const row of rows) await at.run({ ...query, parameters: columns.map((name) => row[name]) });
}

async function clear({ db }: At, { name }: MovedTable, project: number): Promise<void> {
  if (name === 'memories') {
    await sql`delete from memory_index where rowid in
      (select position from memories where project_key = ${project})`.execute(db);
  }
  if (name === 'vectors') {
    await sql`delete from vector_segments where project_key = ${project}`.execute(db);
  }
  const own =
    name === 'job_parts'
      ? sql`job_id in (select id from jobs where project_key = ${project})`
      : sql`project_key = ${project}`;
  await sql`delete from ${sql.table(name)} where ${own}`.execute(db);
}

async function setCounter(db: Database, name: string, value: number): Promise<void> {
  await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${value})`.execute(db);
}

/** What is in the log would be lost with the name. */
function emptyLog(sqlite: SqliteDatabase, path: string): void {
  const [row] = sqlite.prepare('pragma wal_checkpoint(truncate)').all() as [{ busy: number }];
  if (row.busy !== 0) throw unavailable(path, 'is in use by another process; stop that one');
}

/** Unlike a rename, a new name replaces no file that came meanwhile. */
function takeName(partial: string, path: string): void {
  try {
    linkSync(partial, path);
  } catch (error) {
    if (existsSync(path)) {
      throw new ApiError('conflict', `${path} exists meanwhile; move it away`, { cause: error });
    }
    renameSync(partial, path); // a file system without second names
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(partial + suffix, { force: true });
}
