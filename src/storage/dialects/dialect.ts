import type {
  CompiledQuery,
  Expression,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  SqlBool,
} from 'kysely';
import type { FilterScalar } from '../../contract/schemas/filter.ts';
import type { Gathered, Nearest, Project, RunPlace } from '../../core/ports.ts';
import type { Schema } from '../schema.ts';

export type Database = Kysely<Schema>;
export type Condition = Expression<SqlBool>;
export type Column = Expression<unknown>;
export type Order = 'gt' | 'gte' | 'lt' | 'lte';

/** Where statements run. */
export type Session = {
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
export type Engine = {
  dialect: Dialect;
  /** For reading: each statement sees the last commit. */
  reader: Session;
  /** For writing, inside of `write` only: its statements belong to the transaction that is on. */
  writer: Session;
  /** Differs from what it was when anybody has committed anything since. */
  version(): Promise<number>;
  /** Runs alone, all or nothing. */
  write<T>(run: (session: Session) => Promise<T>): Promise<T>;
  /** True when what was opened is no longer where it was. */
  isReplaced(): boolean;
  /** Copies everything into a new file. Throws `conflict` when it exists. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The SQL in which engines differ. */
export type Dialect = {
  /** Words of table definitions: a primary key that only grows, and what follows a table. */
  schema: {
    growingKey: string;
    tableOptions: string;
    /** Whether an index may hold texts of any length. */
    longKeys: boolean;
  };
  filter: FilterDialect;
  /** Whether statements go to a server, which costs more than most of them do. */
  isServer: boolean;
  /** How many rows one statement inserts best: each costs a way to a server and back. */
  rowsAtOnce: number;
  /** The query, passing over rows that another process holds right now. */
  unclaimed<DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ): SelectQueryBuilder<DB, TB, O>;
  /** So many rows of an index are counted, with their positions, in a hundredth of a second. */
  positionsAtOnce: number;
  /** The column, so that a condition on it leaves the order of rows to the primary key. */
  inRowOrder(column: Column): Column;
  /** A table of these places, a JSON list of {@link RunPlace}. */
  places(places: string): RawBuilder<RunPlace>;
  /** A table of these positions, a JSON list of numbers. */
  positions(positions: string): RawBuilder<{ position: number }>;
  /** The column of all rows as one text, a line each: much cheaper to read than the rows. */
  lines(column: Column): RawBuilder<string | null>;
  /** The column of all rows as one JSON list; it may be null where there is none. */
  list(column: Column): RawBuilder<string | null>;
  index: TextIndex;
  vectors: VectorIndex;
};

/** Conditions of filters. They may answer NULL for false: whoever negates one has to mind that. */
export type FilterDialect = {
  isIn(column: Column, values: readonly (string | number)[]): Condition;
  contains(column: Column, text: string): Condition;
  /** Ignores case in every script. */
  icontains(column: Column, text: string): Condition;
  /** The text holds all words of at least one of the values, as whole words, ignoring case. */
  holdsWords(column: Column, values: readonly string[]): Condition;
  /** The JSON list of texts holds one of the values. */
  listHas(column: Column, values: readonly string[]): Condition;
  /** A text of the JSON list contains this one, ignoring case. */
  listIcontains(column: Column, text: string): Condition;
  json: JsonDialect;
};

/** A place in a JSON object. */
export type JsonPlace = { column: Column; path: readonly string[] };

/** Conditions on JSON values. A string, a number and a flag never equal each other. */
export type JsonDialect = {
  /** There is a value, and it is not null. */
  exists(place: JsonPlace): Condition;
  isIn(place: JsonPlace, values: readonly FilterScalar[]): Condition;
  compare(place: JsonPlace, order: Order, value: string | number): Condition;
  /** A list holds this text, or a text contains it. */
  contains(place: JsonPlace, text: string): Condition;
  icontains(place: JsonPlace, text: string): Condition;
};

export type IndexEntry = {
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
export type IndexMatch = {
  scope: readonly (readonly string[])[];
  terms: readonly (readonly string[])[];
};

/** Full text search over memories. */
export type TextIndex = {
  create(db: Database): Promise<void>;
  insert(session: Session, entries: readonly IndexEntry[]): Promise<void>;
  replace(db: Database, entry: IndexEntry): Promise<void>;
  delete(db: Database, positions: readonly number[]): Promise<void>;
  /** For each match, the positions of the newest memories that it finds. */
  find(session: Session, matches: readonly IndexMatch[], limit: number): Promise<number[][]>;
};

export type VectorQuery = {
  project: Pick<Project, 'key'>;
  /** Whose vectors: those of different models have nothing in common. */
  space: number;
  /** Of length 1. */
  vector: Float32Array;
  where: Condition;
  /** At most so many memories can match `where`: few are compared one by one. */
  size: number;
  limit: number;
  /** What {@link VectorIndex.gather} answered. */
  gathered?: Gathered | null;
};

/** Search by vectors, all of length 1. */
export type VectorIndex = {
  create(db: Database): Promise<void>;
  /** Stores the vectors of memories; a memory's earlier one makes room. */
  put(
    db: Database,
    entries: Pick<VectorQuery, 'project' | 'space'> & {
      entries: readonly { position: number; vector: Float32Array }[];
    },
  ): Promise<void>;
  delete(db: Database, positions: readonly number[]): Promise<void>;
  /** Reads what `nearest` will compare, where it is few and this process keeps it. */
  gather(
    session: Session,
    query: Pick<VectorQuery, 'project' | 'space' | 'where' | 'size'> & { dimension: number },
  ): Promise<Gathered | null>;
  /** Nearest first; fewer than `limit` only where fewer match. */
  nearest(session: Session, query: VectorQuery): Promise<Nearest>;
  /** Of each of these positions that has a vector. */
  similarities(
    session: Session,
    query: Pick<VectorQuery, 'project' | 'space' | 'vector'> & { positions: readonly number[] },
  ): Promise<Map<number, number>>;
  /** Deletes up to `limit` vectors of a space; answers how many. */
  clear(db: Database, query: { space: number; limit: number }): Promise<number>;
  /**
   * Memories up to this position can have no older ones that are still being written. Null where
   * writers are at it for longer than they are waited for.
   */
  settledTo(db: Database): Promise<number | null>;
  /** Bytes of memory in use. */
  bytes(): number;
  /** Stops what runs beside this thread. */
  close(): Promise<void>;
};
