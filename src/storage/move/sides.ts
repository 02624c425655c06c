import type { At } from '../tables/at.ts';
import type { MovedTable } from './tables.ts';

export type MovedValue = string | number | null | Float32Array;

/** A row by its columns; those of a project have its `project_key`, on every engine. */
export type MovedRow = Record<string, MovedValue>;

/** Where a walk over a table is: values of the columns that it is ordered by. */
export type Cursor = readonly (string | number)[];

export type Batch = { rows: MovedRow[]; cursor: Cursor };

export type Walk = {
  columns: readonly string[];
  /** Goes on behind this place. */
  after?: Cursor | null;
  /** Only rows of these projects. */
  projects?: ReadonlySet<number>;
};

/** A store that is read and not changed. */
export type MoveReader = {
  /** Where it is, without a password. */
  shown: string;
  hasVectors: boolean;
  /** From now on, what there is now is read; `walk` needs it. */
  look(): Promise<void>;
  /** False where what was read since may be of several moments. */
  isIntact(): boolean;
  /** Whether other processes seem to have it open. */
  isInUse(): Promise<boolean>;
  columnsOf(table: string): Promise<string[]>;
  /** The rows of each project by the table's key; how projects follow each other is its own. */
  walk(table: MovedTable, walk: Walk): AsyncIterable<Batch>;
  /** The last number that the table has ever given out, 0 before the first. */
  counterOf(table: MovedTable & { counts: string }): Promise<number>;
  close(): Promise<void>;
};

/** How far a move into this store is, and from which store it comes. */
export type Marker = {
  /** A hash of the secret of the store that is moved. */
  of: string;
  /** Which process is at it: one that was overtaken by another stops. */
  by: string;
  /** What was copied last; null when all has been. */
  at: { table: string; cursor: Cursor | null } | null;
};

/** Runs statements in a transaction, on rows of a project or on those of none. */
export type Enter = (project: number | null) => Promise<At>;

export type Insert = {
  table: MovedTable;
  columns: readonly string[];
  rows: readonly MovedRow[];
  /** Brings a row up to date that is there already. */
  replace?: boolean;
};

/** A store that is filled. */
export type MoveWriter = {
  reader: MoveReader;
  /** All or nothing. */
  transaction(run: (enter: Enter) => Promise<void>): Promise<void>;
  insert(at: At, insert: Insert): Promise<void>;
  /** Empties a table of a project, with what is made from it. */
  clear(at: At, table: MovedTable, project: number): Promise<void>;
  setCounter(table: MovedTable & { counts: string }, value: number): Promise<void>;
  /** The store is one like any other from now on. */
  finish(): Promise<void>;
  close(): Promise<void>;
};
