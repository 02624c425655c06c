import type {
  CompiledQuery,
  Expression,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type {
  NearestVectors,
  PreloadedVectors,
  ProjectRef,
  RunPlace,
} from '../../core/ports/index.ts';
import type { DatabaseSchema } from './schema.ts';

export type Database = Kysely<DatabaseSchema>;
export type SqlCondition = Expression<SqlBool>;
export type SqlColumn = Expression<unknown>;
export type OrderOperator = 'gt' | 'gte' | 'lt' | 'lte';

/** Where statements run. */
export type DbSession = {
  /** Builds statements, and runs them. */
  db: Database;
  /**
   * Runs one that was built before, without what Kysely does on the way. One with a name comes
   * again: a server may keep what it needs to know of it.
   */
  run<R>(statement: CompiledQuery<R>, name?: string): Promise<R[]>;
  /**
   * The same where nobody waits for the answer: it is carried out before what comes after it, and
   * where it fails, so does the transaction.
   */
  send(statement: CompiledQuery, name?: string): Promise<void>;
};

/** An open database: what a store needs of SQLite, PostgreSQL or another engine. */
export type DatabaseEngine = {
  dialect: SqlDialect;
  /** For reading: each statement sees the last commit. */
  reader: DbSession;
  /** For writing, inside of `write` only: its statements belong to the transaction that is on. */
  writer: DbSession;
  /** Differs from what it was when anybody has committed anything since. */
  version(): Promise<number>;
  /** Runs alone, all or nothing. */
  write<T>(run: (session: DbSession) => Promise<T>): Promise<T>;
  /** True when what was opened is no longer where it was. */
  isReplaced(): boolean;
  /** Copies everything into a new file. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The SQL in which engines differ. */
export type SqlDialect = {
  filter: FilterDialect;
  /** Whether statements go to a server, which costs more than most of them do. */
  isServer: boolean;
  /** How many rows one statement inserts best: each costs a way to a server and back. */
  insertBatchSize: number;
  /** The query, passing over rows that another process holds right now. */
  skipLocked<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** So many rows of an index are counted, with their positions, in a hundredth of a second. */
  positionScanMax: number;
  /** The column, so that a condition on it leaves the order of rows to the primary key. */
  unindexed(column: SqlColumn): SqlColumn;
  /** A table of these places, a JSON list of {@link RunPlace}. */
  runPlacesTable(places: string): RawBuilder<RunPlace>;
  /** A table of these positions, a JSON list of numbers. */
  positionsTable(positions: string): RawBuilder<{ position: number }>;
  /** The column of all rows as one text, a line each: much cheaper to read than the rows. */
  aggregateLines(column: SqlColumn): RawBuilder<string | null>;
  /** The column of all rows as one JSON list; it may be null where there is none. */
  aggregateJson(column: SqlColumn): RawBuilder<string | null>;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
};

/** Conditions of filters. They may answer NULL for false: whoever negates one has to mind that. */
export type FilterDialect = {
  isIn(column: SqlColumn, values: readonly (string | number)[]): SqlCondition;
  contains(column: SqlColumn, text: string): SqlCondition;
  /** Ignores case in every script. */
  icontains(column: SqlColumn, text: string): SqlCondition;
  /** The text holds all words of at least one of the values, as whole words, ignoring case. */
  containsWords(column: SqlColumn, values: readonly string[]): SqlCondition;
  /** The JSON list of texts holds one of the values. */
  listContains(column: SqlColumn, values: readonly string[]): SqlCondition;
  /** A text of the JSON list contains this one, ignoring case. */
  listIcontains(column: SqlColumn, text: string): SqlCondition;
  json: JsonDialect;
};

/** A place in a JSON object. */
export type JsonColumnPath = { column: SqlColumn; path: readonly string[] };

/** Conditions on JSON values. A string, a number and a flag never equal each other. */
export type JsonDialect = {
  /** There is a value, and it is not null. */
  exists(place: JsonColumnPath): SqlCondition;
  isIn(place: JsonColumnPath, values: readonly FilterScalar[]): SqlCondition;
  compare(place: JsonColumnPath, order: OrderOperator, value: string | number): SqlCondition;
  /** A list holds this text, or a text contains it. */
  contains(place: JsonColumnPath, text: string): SqlCondition;
  icontains(place: JsonColumnPath, text: string): SqlCondition;
};

export type TextIndexEntry = {
  position: number;
  /** Whose the memory is: its project and its entities. */
  scope: readonly string[];
  terms: string;
  speaker_terms: string;
};

/**
 * A memory must hold one token of each group of the scope, and one term of each group of terms. No
 * scope is for a store whose memories are all of the project.
 */
export type TextIndexQuery = {
  scope: readonly (readonly string[])[];
  terms: readonly (readonly string[])[];
};

/** Full text search over memories. */
export type TextIndex = {
  insert(session: DbSession, entries: readonly TextIndexEntry[]): Promise<void>;
  replace(db: Database, entry: TextIndexEntry): Promise<void>;
  delete(db: Database, positions: readonly number[]): Promise<void>;
  /** For each match, the positions of the newest memories that it finds. */
  search(
    session: DbSession,
    matches: readonly TextIndexQuery[],
    limit: number,
  ): Promise<number[][]>;
};

export type VectorQuery = {
  project: Pick<ProjectRef, 'key'>;
  /** Whose vectors: those of different models have nothing in common. */
  space: number;
  /** Of length 1. */
  vector: Float32Array;
  where: SqlCondition;
  /** At most so many memories can match `where`: few are compared one by one. */
  size: number;
  limit: number;
  /** What {@link VectorIndex.preload} answered. */
  preloaded?: PreloadedVectors | null;
};

/** Search by vectors, all of length 1. */
export type VectorIndex = {
  /** Stores the vectors of memories; a memory's earlier one makes room. */
  put(
    db: Database,
    entries: Pick<VectorQuery, 'project' | 'space'> & {
      entries: readonly { position: number; vector: Float32Array }[];
    },
  ): Promise<void>;
  delete(db: Database, positions: readonly number[]): Promise<void>;
  /** Reads what `nearest` will compare, where it is few and this process keeps it. */
  preload(
    session: DbSession,
    query: Pick<VectorQuery, 'project' | 'space' | 'where' | 'size'> & { dimension: number },
  ): Promise<PreloadedVectors | null>;
  /** Nearest first; fewer than `limit` only where fewer match. */
  nearest(session: DbSession, query: VectorQuery): Promise<NearestVectors>;
  /** Of each of these positions that has a vector. */
  similarities(
    session: DbSession,
    query: Pick<VectorQuery, 'project' | 'space' | 'vector'> & { positions: readonly number[] },
  ): Promise<Map<number, number>>;
  /** Deletes up to `limit` vectors of a space; answers how many. */
  clear(db: Database, query: { space: number; limit: number }): Promise<number>;
  /**
   * Memories up to this position can have no older ones that are still being written. Null where
   * writers are at it for longer than they are waited for.
   */
  committedUpTo(db: Database): Promise<number | null>;
  /** Bytes of memory in use. */
  bytes(): number;
  /** Stops what runs beside this thread. */
  close(): Promise<void>;
};
