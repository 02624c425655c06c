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
  Selection,
} from '../../core/ports/index.ts';
import type { DatabaseSchema } from './schema.ts';
import type { TextCondition } from './text-condition.ts';

export type Database = Kysely<DatabaseSchema>;
export type SqlCondition = Expression<SqlBool>;
export type SqlColumn = Expression<unknown>;

/** The database or transaction that statements run in. */
export type DbSession = {
  /** Builds statements, and runs them. */
  db: Database;
  /**
   * Runs a compiled statement without Kysely's overhead. A named statement is used repeatedly, and
   * a server may keep it prepared.
   */
  run<R>(statement: CompiledQuery<R>, name?: string): Promise<R[]>;
  /**
   * Runs a statement without waiting for its result: it takes effect before later statements, and
   * if it fails, so does the transaction. After many of them others have their turn.
   */
  send(statement: CompiledQuery, name?: string): Promise<void>;
};

/** An open database: what a store needs of an engine such as SQLite or PostgreSQL. */
export type DatabaseEngine = {
  dialect: SqlDialect;
  /** For reading: each statement sees the last commit. */
  reader: DbSession;
  /** For writing, only inside `write`: its statements belong to the running transaction. */
  writer: DbSession;
  /** Changes with every commit of anyone. */
  version(): Promise<number>;
  /** Runs a transaction, all or nothing. */
  write<T>(run: (session: DbSession) => Promise<T>): Promise<T>;
  /** True if the opened file was removed or replaced. */
  isReplaced(): boolean;
  /** Copies everything into a new file. Throws `conflict` if it exists. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The database or transaction that statements run in, and the SQL of its engine. */
export type DialectSession = DbSession & { dialect: SqlDialect };

/** The SQL in which engines differ. */
export type SqlDialect = {
  filter: FilterDialect;
  /** Whether statements go to a server: the round trip costs more than most of them. */
  isServer: boolean;
  /** The best number of rows per insert: each statement costs a round trip to a server. */
  insertBatchSize: number;
  /** The query, skipping rows that another process has locked. */
  skipLocked<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** The number of index rows that are counted, with their positions, in about 10 ms. */
  positionScanMax: number;
  /** The column, written so that a condition on it does not replace the primary key as order. */
  unindexed(column: SqlColumn): SqlColumn;
  /** A table of these places, a JSON list of {@link RunPlace}. */
  runPlacesTable(places: string): RawBuilder<RunPlace>;
  /** A table of these positions, a JSON list of numbers. */
  positionsTable(positions: string): RawBuilder<{ position: number }>;
  /** The column of all rows as one text, one line per row: much cheaper to read than rows. */
  aggregateLines(column: SqlColumn): RawBuilder<string | null>;
  /** The column of all rows as one JSON list; may be null without rows. */
  aggregateJson(column: SqlColumn): RawBuilder<string | null>;
  /** Overwrites what is deleted until the returned function is called, where the engine can. */
  overwriteDeleted(db: Database): Promise<() => Promise<void>>;
  textIndex: TextIndex;
  vectorIndex: VectorIndex;
};

/** Conditions of filters. They may return NULL for false, which a negation must consider. */
export type FilterDialect = {
  isIn(column: SqlColumn, values: readonly (string | number)[]): SqlCondition;
  contains(column: SqlColumn, text: string): SqlCondition;
  /** Ignores case in every script. */
  icontains(column: SqlColumn, text: string): SqlCondition;
  /** The text contains all words of at least one of the values, as whole words, ignoring case. */
  containsWords(column: SqlColumn, values: readonly string[]): SqlCondition;
  /** Several conditions about one text, where one call for all costs less than one for each. */
  matchesText?(column: SqlColumn, condition: TextCondition): SqlCondition;
  /** The JSON list of texts contains one of the values. */
  listContains(column: SqlColumn, values: readonly string[]): SqlCondition;
  /** A text of the JSON list contains this one, ignoring case. */
  listIcontains(column: SqlColumn, text: string): SqlCondition;
  json: JsonDialect;
};

/** A place in a JSON object. */
export type JsonColumnPath = { column: SqlColumn; path: readonly string[] };

/** Conditions on JSON values. A string, a number and a boolean are never equal. */
export type JsonDialect = {
  /** The value exists and is not null. */
  exists(place: JsonColumnPath): SqlCondition;
  isIn(place: JsonColumnPath, values: readonly FilterScalar[]): SqlCondition;
  /** `operator` is the SQL of an order, such as `>`. */
  compare(place: JsonColumnPath, operator: SqlColumn, value: string | number): SqlCondition;
  /** A list contains this text, or a text contains it. */
  contains(place: JsonColumnPath, text: string): SqlCondition;
  icontains(place: JsonColumnPath, text: string): SqlCondition;
};

export type TextIndexEntry = {
  position: number;
  /** The tokens of the memory's project and entities. */
  scope: readonly string[];
  terms: string;
  speaker_terms: string;
};

/**
 * A memory must have one token of each scope group, and one term of each term group. The scope is
 * empty if all memories of the store belong to the project.
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
  /** How many of these positions it holds. */
  count(db: Database, positions: readonly number[]): Promise<number>;
  /** For each match, the positions of the newest memories that it finds. */
  search(
    session: DbSession,
    matches: readonly TextIndexQuery[],
    limit: number,
  ): Promise<number[][]>;
};

export type VectorQuery = {
  project: Pick<ProjectRef, 'key'>;
  /** The key of the model: vectors of different models are not comparable. */
  model_key: number;
  /** A vector of length 1. */
  vector: Float32Array;
  selection: Selection;
  /** An upper bound of the matches of the selection: few are compared one by one. */
  size: number;
  limit: number;
  /** The result of {@link VectorIndex.preload}. */
  preloaded?: PreloadedVectors | null;
};

export type NewVectors = Pick<VectorQuery, 'project' | 'model_key'> & {
  entries: readonly { position: number; vector: Float32Array }[];
};

/** Search by vectors of length 1. */
export type VectorIndex = {
  /** Stores the vectors of memories that have none of this model yet. */
  insert(session: DbSession, vectors: NewVectors): Promise<void>;
  /** Stores the vectors of memories, replacing earlier ones. */
  put(db: Database, vectors: NewVectors): Promise<void>;
  delete(db: Database, positions: readonly number[]): Promise<void>;
  /** How many vectors these positions have, of any model. */
  count(db: Database, positions: readonly number[]): Promise<number>;
  /** Reads what `nearest` will compare, if it is little and this process caches it. */
  preload(
    at: DialectSession,
    query: Pick<VectorQuery, 'project' | 'model_key' | 'selection' | 'size'> & {
      dimension: number;
    },
  ): Promise<PreloadedVectors | null>;
  /** Nearest first; fewer than `limit` only if fewer match. */
  nearest(at: DialectSession, query: VectorQuery): Promise<NearestVectors>;
  /** The similarities of those positions that have a vector. */
  similarities(
    session: DbSession,
    query: Pick<VectorQuery, 'project' | 'model_key' | 'vector'> & { positions: readonly number[] },
  ): Promise<Map<number, number>>;
  /** Deletes up to `limit` vectors of a model; returns how many. */
  clear(db: Database, query: { model_key: number; limit: number }): Promise<number>;
  /**
   * All memories up to this position are committed. Null if writers take longer than this waits for
   * them.
   */
  committedUpTo(db: Database): Promise<number | null>;
  /** The memory in use, in bytes. */
  bytes(): number;
  /** Stops background threads. */
  close(): Promise<void>;
};
